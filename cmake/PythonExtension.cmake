# The private module rankforest._core. scikit-build-core runs this and installs the component
# `python`; see pyproject.toml.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 3.0 CONFIG REQUIRED)
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bindings/*.cpp")
# NO_EXTRAS: no link-time optimisation. Each area is one translation unit over headers, so there
# is nothing to gain across them.
pybind11_add_module(_core NO_EXTRAS ${sources})
# Each source reads the whole library, so a few together compile in less time than one by one.
set_target_properties(_core PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
target_link_libraries(_core PRIVATE rankforest_build rankforest_hardened)
target_compile_definitions(_core PRIVATE RANKFOREST_VERSION="${PROJECT_VERSION}")
install(TARGETS _core DESTINATION rankforest COMPONENT python)
