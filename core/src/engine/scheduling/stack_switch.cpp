#include "engine/scheduling/stack_switch.hpp"

#include <cstdint>
#include <cstring>

#ifdef LOCKSTEP_OWN_SWITCH

// A stack that is left has, from the lowest address up: MXCSR (4 bytes), the x87 control word (2, and 2
// unused), r15, r14, r13, r12, rbx, rbp, the address at which it goes on. The modes are loaded only where
// they differ, for loading them takes longer than the rest.
//
// The call frame information holds on both sides of the switch, since both stacks look the same there.
asm(R"(
  .text
  .p2align 4
  .globl lockstep_switch_stack
  .hidden lockstep_switch_stack
  .type lockstep_switch_stack, @function
lockstep_switch_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbp, 0
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbx, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r12, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r13, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r14, 0
  pushq %r15
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r15, 0
  leaq -8(%rsp), %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movl (%rsp), %eax
  movzwl 4(%rsp), %ecx

  movq %rsp, (%rdi)
  movq %rsi, %rsp

.Lgo_on_here:
  cmpl %eax, (%rsp)
  je 1f
  ldmxcsr (%rsp)
1:
  cmpw %cx, 4(%rsp)
  je 2f
  fldcw 4(%rsp)
2:
  leaq 8(%rsp), %rsp
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r15
  popq %r14
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r14
  popq %r13
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r13
  popq %r12
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r12
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbx
  popq %rbp
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbp
  # Mostly both stacks were left at the same place, so that the processor foretells where this goes.
  ret
  .cfi_endproc
  .size lockstep_switch_stack, . - lockstep_switch_stack

  # The same, but where it goes on is what a call of `choose` says, on the stack below `helper`. rbp has
  # this stack meanwhile, for unwinders; rbx and r12 its modes.
  .p2align 4
  .globl lockstep_switch_stack_by
  .hidden lockstep_switch_stack_by
  .type lockstep_switch_stack_by, @function
lockstep_switch_stack_by:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbp, 0
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbx, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r12, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r13, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r14, 0
  pushq %r15
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r15, 0
  leaq -8(%rsp), %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movl (%rsp), %ebx
  movzwl 4(%rsp), %r12d

  movq %rsp, (%rdi)
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rsi, %rsp
  movq %rcx, %rdi
  callq *%rdx
  movq %rax, %rsp
  .cfi_def_cfa_register %rsp
  movl %ebx, %eax
  movl %r12d, %ecx
  jmp .Lgo_on_here
  .cfi_endproc
  .size lockstep_switch_stack_by, . - lockstep_switch_stack_by

  # The bottom of every stack, where unwinding ends: calls the function in rbx.
  .p2align 4
  .type lockstep_bottom_of_stack, @function
lockstep_bottom_of_stack:
  .cfi_startproc
  .cfi_undefined %rip
  callq *%rbx
  ud2
  .cfi_endproc
  .size lockstep_bottom_of_stack, . - lockstep_bottom_of_stack
  .globl lockstep_bottom_of_stack
  .hidden lockstep_bottom_of_stack
)");

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" [[gnu::visibility("hidden")]] void lockstep_bottom_of_stack();

namespace lockstep::detail {

namespace {

/// A stack that was left, as lockstep_switch_stack lays it out.
struct left_stack {
  std::uint32_t mxcsr;
  std::uint16_t x87_control;
  std::uint64_t r15, r14, r13, r12;
  void (*rbx)();
  std::uint64_t rbp;
  void (*goes_on_at)();
};
static_assert(sizeof(left_stack) == 64);

}  // namespace

void* lay_out_stack(std::byte* top, void (*entry)()) {
  left_stack begin{};
  begin.mxcsr = __builtin_ia32_stmxcsr();
  asm("fnstcw %0" : "=m"(begin.x87_control));
  begin.rbx = entry;
  begin.goes_on_at = lockstep_bottom_of_stack;
  // A function finds its stack at a multiple of 16 before it is called.
  top -= reinterpret_cast<std::uintptr_t>(top) % 16;
  std::memcpy(top - sizeof(begin), &begin, sizeof(begin));
  return top - sizeof(begin);
}

}  // namespace lockstep::detail

#endif
