#pragma once
/* sink/kafka.h - topics as targets: CREATE SINK s USING kafka OPTIONS ('kafka.bootstrap.servers' = '...', 'topic' = '...') */
#include "sink/sink.h"

extern const SinkOps sink_kafka;
