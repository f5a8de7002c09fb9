"""A broker that asks who one is: every way to say it, what is said where it is refused, and that no secret stays anywhere."""
import os
import re
import signal
import time

import pytest
from secure import SECRETS, SecureBroker, left_behind
from test_read_kafka import define, source, until

ENVIRONMENT = {"SILT_TEST_" + name.upper(): value for name, value in SECRETS.items()}


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    made = SecureBroker(tmp_path_factory.mktemp("secure") / "broker", os.environ["SILT_KAFKA_JARS"])
    made.start()
    yield made
    made.stop()


class At:
    """A listener of the broker, as source() wants one."""

    def __init__(self, broker, listener):
        self.bootstrap = broker.at[listener]


def secret(name):
    return "{{secrets/env/SILT_TEST_%s}}" % name.upper()


def login(protocol, mechanism, user, password):
    return {"kafka.security.protocol": protocol, "kafka.sasl.mechanism": mechanism, "kafka.sasl.username": user, "kafka.sasl.password": password}


def jaas(module, user, password):
    return f'org.apache.kafka.common.security.{module} required username="{user}" password="{password}";'


CA = {"kafka.ssl.ca.location": "TLS/ca.crt"}
CLIENT = {"kafka.security.protocol": "SSL", **CA}
TOKEN = {"kafka.security.protocol": "SASL_PLAINTEXT", "kafka.sasl.mechanism": "OAUTHBEARER", "kafka.enable.sasl.oauthbearer.unsecure.jwt": "true"}
WAYS = {
    "plain": ("SASL_PLAINTEXT", login("SASL_PLAINTEXT", "PLAIN", "alice", secret("plain"))),
    "plain in Java's words": ("SASL_PLAINTEXT", {"kafka.security.protocol": "SASL_PLAINTEXT", "kafka.sasl.mechanism": "PLAIN", "kafka.sasl.jaas.config": jaas("plain.PlainLoginModule", "alice", secret("plain"))}),
    "scram 256": ("SASL_PLAINTEXT", login("SASL_PLAINTEXT", "SCRAM-SHA-256", "carol", secret("scram"))),
    "scram 512": ("SASL_PLAINTEXT", login("SASL_PLAINTEXT", "SCRAM-SHA-512", "carol", secret("scram"))),
    "plain over TLS": ("SASL_SSL", {**login("SASL_SSL", "PLAIN", "alice", secret("plain")), **CA}),
    "scram 256 over TLS": ("SASL_SSL", {**login("SASL_SSL", "SCRAM-SHA-256", "carol", secret("scram")), **CA}),
    "scram 512 over TLS, in Java's words": ("SASL_SSL", {"kafka.security.protocol": "SASL_SSL", "kafka.sasl.mechanism": "SCRAM-SHA-512", "kafka.sasl.jaas.config": jaas("scram.ScramLoginModule", "carol", secret("scram")),
                                                         "kafka.ssl.truststore.location": "TLS/ca.crt", "kafka.ssl.truststore.type": "PEM"}),
    "client certificate": ("SSL", {**CLIENT, "kafka.ssl.certificate.location": "TLS/client.crt", "kafka.ssl.key.location": "TLS/client.key"}),
    "client certificate, key with a password": ("SSL", {**CLIENT, "kafka.ssl.certificate.location": "TLS/client.crt", "kafka.ssl.key.location": "TLS/locked.key", "kafka.ssl.key.password": secret("key")}),
    "client certificate in Java's words": ("SSL", {"kafka.security.protocol": "SSL", "kafka.ssl.truststore.location": "TLS/ca.crt", "kafka.ssl.keystore.location": "TLS/locked.pem", "kafka.ssl.key.password": secret("key")}),
    "client certificate as PKCS12": ("SSL", {**CLIENT, "kafka.ssl.keystore.location": "TLS/client.p12", "kafka.ssl.keystore.password": secret("store")}),
    "client certificate as text": ("SSL", {"kafka.security.protocol": "SSL", "kafka.ssl.truststore.certificates": "{{secrets/fileTLS/ca.crt}}",
                                           "kafka.ssl.keystore.certificate.chain": "{{secrets/fileTLS/client.crt}}", "kafka.ssl.keystore.key": "{{secrets/fileTLS/client.key}}"}),
    "token": ("TOKEN", {**TOKEN, "kafka.sasl.oauthbearer.config": "principal=silt"}),
}
REFUSED = {
    "a wrong password": ("SASL_PLAINTEXT", login("SASL_PLAINTEXT", "PLAIN", "alice", secret("scram")), "[Aa]uthentication failed"),
    "a wrong scram password": ("SASL_PLAINTEXT", login("SASL_PLAINTEXT", "SCRAM-SHA-256", "carol", secret("plain")), "[Aa]uthentication failed"),
    "nobody by this name": ("SASL_SSL", {**login("SASL_SSL", "SCRAM-SHA-512", "mallory", secret("scram")), **CA}, "[Aa]uthentication failed"),
    "a broker that another CA has signed": ("SASL_SSL", {**login("SASL_SSL", "PLAIN", "alice", secret("plain")), "kafka.ssl.ca.location": "TLS/other.crt"}, "certificate verify failed"),
    "no client certificate": ("SSL", CLIENT, "SSL|ssl|certificate"),
}


def placed(secure, options):
    return {name: value.replace("TLS", str(secure.tls)) if isinstance(value, str) else value for name, value in options.items()}


@pytest.mark.parametrize("way", WAYS)
def test_a_secure_broker_is_read_and_no_secret_stays(project, secure, way):
    listener, options = WAYS[way]
    topic = secure.topic()
    secure.produce(topic, ["a", "b"])
    define(project, At(secure, listener), topic, **placed(secure, options), **{"kafka.default.api.timeout.ms": 10000})
    first = project.run("--log-level", "debug", "--conf", "spark.sql.pipelines.maxFlowRetryAttempts=0", env=ENVIRONMENT).ok()
    secure.produce(topic, ["c"])
    second = project.run(env=ENVIRONMENT).ok()
    for run in (first, second):
        assert not any(value in run.out + run.err for value in SECRETS.values())
        assert "PRIVATE KEY" not in run.out + run.err
    assert left_behind(project.folder) == []
    assert not [path for path in project.folder.rglob("*") if path.is_file() and b"PRIVATE KEY" in path.read_bytes()]
    project.expect("SELECT offset, v FROM raw", [[0, "a"], [1, "b"], [2, "c"]])


@pytest.mark.parametrize("what", REFUSED)
def test_a_refusal_is_said_without_the_secret(project, secure, what):
    listener, options, words = REFUSED[what]
    topic = secure.topic()
    define(project, At(secure, listener), topic, **placed(secure, options), **{"kafka.default.api.timeout.ms": 4000})
    run = project.run("--conf", "spark.sql.pipelines.maxFlowRetryAttempts=0", env=ENVIRONMENT, timeout=150)
    assert run.code != 0 and re.search(words, run.err), run
    assert not any(value in run.out + run.err for value in SECRETS.values())
    assert left_behind(project.folder) == []


def test_a_key_that_cannot_be_opened_is_said_without_its_password(project, secure):
    define(project, At(secure, "SSL"), "t", **placed(secure, {**CLIENT, "kafka.ssl.certificate.location": "TLS/client.crt", "kafka.ssl.key.location": "TLS/locked.key",
                                                             "kafka.ssl.key.password": secret("plain")}))
    run = project.run(env=ENVIRONMENT)
    assert run.code in (1, 2) and "key" in run.err, run
    assert not any(value in run.out + run.err for value in SECRETS.values())


def test_a_sink_writes_to_a_secure_broker(project, secure):
    topic, out = secure.topic(), secure.topic()
    secure.produce(topic, ["a", "b"])
    options = placed(secure, {**login("SASL_SSL", "SCRAM-SHA-512", "carol", secret("scram")), **CA})
    words = ", ".join(f"'{name}' = '{value}'" for name, value in {"kafka.bootstrap.servers": secure.at["SASL_SSL"], "topic": out, **options}.items())
    project.define(f"CREATE SINK s USING kafka OPTIONS ({words})",
                   f"CREATE FLOW f AS INSERT INTO s BY NAME SELECT value FROM STREAM {source(At(secure, 'SASL_SSL'), topic, **options)}")
    run = project.run(env=ENVIRONMENT).ok()
    assert not any(value in run.out + run.err for value in SECRETS.values())
    assert left_behind(project.folder) == []
    assert secure.ends(out)[1] >= 2


def test_a_token_that_runs_out_in_a_quiet_topic_is_renewed(project, secure):
    """Tokens live for 6 s, and the broker ends a session after 4: a topic is quiet for longer than both, then written to."""
    topic = secure.topic()
    secure.produce(topic, ["a"])
    define(project, At(secure, "TOKEN"), topic, **TOKEN, **{"kafka.sasl.oauthbearer.config": "principal=silt lifeSeconds=6"})
    run = project.start("--continuous")
    until(lambda: len(project.progress()) == 1)
    for word in ("b", "c"):
        time.sleep(14)
        secure.produce(topic, [word])
        begin = time.monotonic()
        until(lambda: project.value("SELECT count(*) FROM raw") == ord(word) - ord("a") + 1)
        assert time.monotonic() - begin < 10, "a new token is there before it is needed"
    run.send_signal(signal.SIGTERM)
    assert run.wait(30) == 143
    assert "FAILED" not in (project.folder / "run.log").read_text()
    project.expect("SELECT v FROM raw", [["a"], ["b"], ["c"]])
