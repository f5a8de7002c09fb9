# The front door. Meson builds (meson.build); this file only says which commands make what.
#
#   make              build/silt
#   make demo         build, then watch three formats become Delta tables
#   make test         everything that needs no Spark; the last line is "N passed, N failed"
#   make test-peers   what needs Spark
#   make check        quick: unit tests, the floors, the form of the source; below a minute
#   make bench        the measured workloads (bench/README.md)
#   make install      PREFIX=/usr/local by default, DESTDIR honoured
#   make clean        removes build folders; what was downloaded stays in the cache

PREFIX ?= /usr/local

.PHONY: all build demo test check test-peers bench install clean
all build: build/silt

build/silt: FORCE
	@tools/install-deps build
	@tools/build build
FORCE:

demo: build/silt
	@examples/demo build/silt

test:
	@tools/install-deps build test
	@tools/run-tests all

check:
	@tools/install-deps build test
	@tools/run-tests check

test-peers: build/silt
	@tools/install-deps build test peers
	@tools/run-tests peers

bench: build/silt
	@tools/install-deps build test
	@"$$(tools/python-env tests)" bench/run.py --silt build/silt
	@"$$(tools/python-env tests)" bench/kafka.py --silt build/silt --jars "$$(tools/run-tests broker)"

install: build/silt
	@tools/build build --quiet
	meson install -C build --no-rebuild --destdir "$(DESTDIR)"

clean:
	rm -rf build build-sanitize build-clang
