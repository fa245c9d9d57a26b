from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.errors import ConanInvalidConfiguration


class Lockstep(ConanFile):
    """Conan 2: the libraries, and what CMake and pkg-config need to find them."""

    name = "lockstep"
    version = "0.1.0"
    license = "MIT"
    description = "Any distributed-memory machine on one computer, with its costs counted exactly"
    topics = ("parallel-algorithms", "emulator", "interconnection-networks")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "tool": [True, False]}
    default_options = {"shared": False, "fPIC": True, "tool": False}
    implements = ["auto_shared_fpic"]
    generators = "CMakeDeps"
    exports_sources = (
        "CMakeLists.txt", "LICENSE", "CHANGELOG.md", "cmake/*", "core/*", "topologies/*",
        "algorithms/*", "cli/*", "viewer/dist/*",
    )

    def requirements(self):
        # Public headers include fmt.
        self.requires("fmt/[>=9.1 <12]", transitive_headers=True, transitive_libs=True)
        self.requires("onetbb/[>=2021.8 <2023]")
        self.requires("boost/[>=1.74 <2]")
        self.requires("zlib/[>=1.2.13 <2]")
        if self.options.tool:
            self.requires("cli11/[>=2.1 <3]")
            self.requires("nlohmann_json/[>=3.11 <4]")

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("lockstep runs on Linux")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "BENCH", "EXAMPLES"):
            toolchain.cache_variables[f"LOCKSTEP_BUILD_{part}"] = False
        toolchain.cache_variables["LOCKSTEP_BUILD_CLI"] = bool(self.options.tool)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # lockstep's own lockstepConfig.cmake is used, with its components.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/lockstep"]
        self.cpp_info.libs = ["lockstep_experiments", "lockstep_algorithms", "lockstep_topologies", "lockstep_view",
                              "lockstep_core"]
        self.cpp_info.cxxflags = ["-fstack-clash-protection"]
        self.cpp_info.sharedlinkflags = self.cpp_info.exelinkflags = ["-Wl,-z,now"]
        self.cpp_info.system_libs = ["pthread"]
