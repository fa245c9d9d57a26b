#include "formula.hpp"

#include "catch.hpp"

using lockstep::docs::typeset;

TEST_CASE("formulas are typeset", "[formula]") {
  CHECK(typeset("C/2 + 2") == "\\f$C/2 + 2\\f$");
  CHECK(typeset("4(d - 1)") == "\\f$4(d - 1)\\f$");
  CHECK(typeset("R^2 C^(d-1)") == "\\f$R^{2} C^{d-1}\\f$");
  CHECK(typeset("1.5n") == "\\f$1.5n\\f$");
  CHECK(typeset("n_i + h1") == "\\f$n_{i} + h_{1}\\f$");
  CHECK(typeset("a <= b") == "\\f$a \\le  b\\f$");
}

TEST_CASE("functions of formulas are typeset", "[formula]") {
  CHECK(typeset("ceil(n/p)") == "\\f$\\lceil n/p \\rceil \\f$");
  CHECK(typeset("floor(ceil(q)/m)") == "\\f$\\lfloor \\lceil q \\rceil /m \\rfloor \\f$");
  CHECK(typeset("4 log p") == "\\f$4 \\log  p\\f$");
  CHECK(typeset("log2 p") == "\\f$\\log_{2}  p\\f$");
  CHECK(typeset("log_k p") == "\\f$\\log_{k}  p\\f$");
  CHECK(typeset("2n^2/sqrt p") == "\\f$2n^{2}/\\sqrt{p}\\f$");
  CHECK(typeset("3 tau") == "\\f$3 \\tau \\f$");
  CHECK(typeset("bin1") == "\\f$\\mathit{bin}_{1}\\f$");
}

TEST_CASE("sums are typeset with their range", "[formula]") {
  CHECK(typeset("2 sum of ceil(m/2^i), i = 1 .. d") ==
        "\\f$2 \\sum_{i = 1}^{d} \\lceil m/2^{i} \\rceil \\f$");
  CHECK(typeset("2 (sum of 6k + 12i, i = 0 .. d - 1) + 1") ==
        "\\f$2 (\\sum_{i = 0}^{d - 1} (6k + 12i)) + 1\\f$");
  CHECK(typeset("A sum N_p m/4") == "\\f$A \\sum N_{p} m/4\\f$");
}

TEST_CASE("what is said of a formula stays text", "[formula]") {
  CHECK(typeset("2d, for p = 2^d") == "\\f$2d\\f$, for p = 2^d");
  CHECK(typeset("k + 1, if k > 2") == "\\f$k + 1\\f$, if k > 2");
}

TEST_CASE("formulas in words are not typeset", "[formula]") {
  for (auto const* const words :
       {"sum over rounds of the largest block", "rounds in which something travels", "steps - 1",
        "sum of m ceil(n_i/m), i not the root", "(p - 1", "2)", "a # b", ""})
    CHECK(typeset(words).empty());
}
