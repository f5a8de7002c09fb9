"""A Kafka broker of one node for the tests: started on free ports, stopped by its own process id."""
import os
import signal
import socket
import subprocess
import time
import uuid
from pathlib import Path

HERE = Path(__file__).parent


def free_ports(count):
    """Ports that are free now, all at once."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Broker:
    def __init__(self, folder, jars, advertised_port=None):
        """advertised_port: where clients are sent to instead, by what stands in between."""
        self.folder, self.jars, self.process = Path(folder), jars, None
        self.port, self.controller_port = free_ports(2)
        self.bootstrap = f"127.0.0.1:{self.port}"
        self.folder.mkdir(parents=True)
        text = (HERE / "server.properties").read_text()
        for name, value in (("DIR", self.folder), ("CTL", self.controller_port), ("ADVERTISED", f"PLAINTEXT://127.0.0.1:{advertised_port or self.port}"),
                            ("LISTENERS", f"PLAINTEXT://{self.bootstrap},CONTROLLER://127.0.0.1:{self.controller_port}")):
            text = text.replace(f"@{name}@", str(value))
        self.properties = self.folder / "server.properties"
        self.properties.write_text(text)
        formatted = subprocess.run([*self.java("-XX:TieredStopAtLevel=1", "-Xmx128m"), "kafka.tools.StorageTool", "format", "--standalone", "-t", "c2lsdC10ZXN0LWNsdXN0Zg",
                                    "-c", self.properties], capture_output=True, text=True)
        assert formatted.returncode == 0, formatted.stdout + formatted.stderr

    def java(self, *options):
        return ["java", "-cp", f"{self.jars}/*", f"-Dsilt.log={self.folder}/kafka.log", f"-Dlog4j2.configurationFile=file:{HERE}/log4j2.properties",
                "-Djava.awt.headless=true", "-XX:+UseSerialGC", "-Xshare:auto", *options]

    def start(self):
        log = self.folder / "kafka.log"
        log.write_text("")
        with open(self.folder / "out.txt", "w") as out:
            self.process = subprocess.Popen([*self.java("-XX:TieredStopAtLevel=1", "-Xms256m", "-Xmx256m"), "kafka.Kafka", self.properties], stdout=out, stderr=out,
                                            stdin=subprocess.DEVNULL, start_new_session=True)
        until = time.monotonic() + 180
        while "Kafka Server started" not in log.read_text():
            assert self.process.poll() is None and time.monotonic() < until, (self.folder / "out.txt").read_text()[-3000:] + log.read_text()[-3000:]
            time.sleep(0.1)

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    # ---- topics ----

    def admin(self):
        from confluent_kafka.admin import AdminClient
        return AdminClient({"bootstrap.servers": self.bootstrap, "log_level": 0})

    def _done(self, admin, futures):
        for future in futures.values():
            future.result(60)

    def topic(self, partitions=1, name=None, **config):
        from confluent_kafka.admin import NewTopic
        name = name or "t_" + uuid.uuid4().hex[:8]
        admin = self.admin()
        self._done(admin, admin.create_topics([NewTopic(name, partitions, 1, config={key.replace("_", "."): str(value) for key, value in config.items()})]))
        self._until(lambda topics: name in topics and len(topics[name].partitions) == partitions, admin)
        return name

    def _until(self, holds, admin):
        until = time.monotonic() + 60
        while not holds(admin.list_topics(timeout=30).topics):
            assert time.monotonic() < until
            time.sleep(0.1)

    def drop(self, name):
        admin = self.admin()
        self._done(admin, admin.delete_topics([name]))
        self._until(lambda topics: name not in topics, admin)

    def partitions(self, name, total):
        from confluent_kafka.admin import NewPartitions
        admin = self.admin()
        self._done(admin, admin.create_partitions([NewPartitions(name, total)]))
        self._until(lambda topics: len(topics[name].partitions) == total, admin)

    def cut(self, name, partition, before):
        """Delete the records before an offset, as retention does."""
        from confluent_kafka import TopicPartition
        admin = self.admin()
        self._done(admin, admin.delete_records([TopicPartition(name, partition, before)]))

    def ends(self, name, partition=0):
        """First offset, and the one behind the last."""
        from confluent_kafka import Consumer, TopicPartition
        consumer = Consumer({"bootstrap.servers": self.bootstrap, "group.id": "ends", "log_level": 0})
        try:
            return consumer.get_watermark_offsets(TopicPartition(name, partition), timeout=30)
        finally:
            consumer.close()

    # ---- records ----

    def produce(self, topic, records, **settings):
        """records: values (text, bytes or None), or dicts of value, key, partition (0), headers, timestamp; in this order."""
        from confluent_kafka import Producer
        producer = Producer({"bootstrap.servers": self.bootstrap, "log_level": 0, "linger.ms": 5, "enable.idempotence": True, **settings})
        failures = []
        for record in records:
            record = record if isinstance(record, dict) else {"value": record}
            while True:
                try:
                    producer.produce(topic, **{"partition": 0, **record}, on_delivery=lambda failure, _: failure and failures.append(failure))
                    break
                except BufferError:
                    producer.poll(0.5)
        producer.flush(120)
        assert not failures, failures[0]

    def transactions(self, topic, *batches, name=None):
        """batches: (values, whether it is committed). One more at the end may be None: left open, the producer is given back."""
        from confluent_kafka import Producer
        producer = Producer({"bootstrap.servers": self.bootstrap, "log_level": 0, "linger.ms": 0, "transactional.id": name or uuid.uuid4().hex})
        producer.init_transactions(60)
        for values, committed in batches:
            producer.begin_transaction()
            for value in values:
                producer.produce(topic, value, partition=0)
            producer.flush(60)
            if committed is None:
                return producer
            (producer.commit_transaction if committed else producer.abort_transaction)(60)
        return producer
