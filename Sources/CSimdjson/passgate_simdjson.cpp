#include "passgate_simdjson.h"
