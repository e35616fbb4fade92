#pragma once

#include <rankforest/rankforest.hpp>
