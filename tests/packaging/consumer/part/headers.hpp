// What this application uses, where the other headers are not in question: they take long to read.
#pragma once

#include <rankforest/core/parallel.hpp>
#include <rankforest/core/tree.hpp>
