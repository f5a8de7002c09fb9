#pragma once
/* source/kafka.h - read_kafka(...): records of Kafka topics, in Spark's columns, with Spark's offsets */
#include "source/source.h"

extern const SourceOps source_kafka;
