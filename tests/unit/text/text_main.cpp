// These tests need no SystemC, hence a main without sc_main.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
