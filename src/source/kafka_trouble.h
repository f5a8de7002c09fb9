#pragma once
/* source/kafka_trouble.h - the last thing that a client of Kafka has complained about: why nothing comes, when nothing comes */
#include <pthread.h>
#include <stdint.h>

enum { KAFKA_TROUBLE_SIZE = 400 };

/* Any thread; zeroed but for the lock, which its owner initializes and destroys. */
typedef struct KafkaTrouble {
    pthread_mutex_t lock;
    char text[KAFKA_TROUBLE_SIZE]; /* "" */
    int64_t ms;                    /* monotonic */
} KafkaTrouble;

struct rd_kafka_conf_s;

/* From now on the log of the client that is made with conf goes here; the client's opaque is `trouble`. */
void kafka_trouble_follow(KafkaTrouble *trouble, struct rd_kafka_conf_s *conf);
void kafka_trouble_note(KafkaTrouble *trouble, const char *text);
/* ": text" if it is of the last two minutes, else "". */
void kafka_trouble_tell(KafkaTrouble *trouble, char out[KAFKA_TROUBLE_SIZE + 2]);
