#include "engine/scheduling/stack_switch.hpp"

#include <cstdint>
#include <cstring>

#ifdef LOCKSTEP_OWN_SWITCH

// A stack that is left has at its lowest address what a call preserves, as `left_stack` says below.
// The modes are loaded only where they differ, for loading them takes longer than the rest.
//
// The call frame information holds on both sides of the switch, since both stacks look the same
// there.
//
// The bottom of every stack, where unwinding ends, calls the function that a register holds which a
// call preserves. A stack begins behind a nop: until it does, that place is a return address, and
// unwinders and debuggers look up the instruction before it.

#ifdef __x86_64__
asm(R"(
  # Puts what a call preserves on the stack that is left: registers and modes.
  .macro lockstep_push_preserved
  .irp register, rbp, rbx, r12, r13, r14, r15
  pushq %\register
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %\register, 0
  .endr
  leaq -8(%rsp), %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  .endm

  .text
  .p2align 4
  .globl lockstep_switch_stack
  .hidden lockstep_switch_stack
  .type lockstep_switch_stack, @function
lockstep_switch_stack:
  .cfi_startproc
  lockstep_push_preserved
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
  .irp register, r15, r14, r13, r12, rbx, rbp
  popq %\register
  .cfi_adjust_cfa_offset -8
  .cfi_restore %\register
  .endr
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
  lockstep_push_preserved
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

  .p2align 4
  .type lockstep_bottom_of_stack, @function
lockstep_bottom_of_stack:
  .cfi_startproc
  .cfi_undefined %rip
  nop
lockstep_begin_stack:
  callq *%rbx
  ud2
  .cfi_endproc
  .size lockstep_bottom_of_stack, . - lockstep_bottom_of_stack
  .globl lockstep_begin_stack
  .hidden lockstep_begin_stack
)");
#else
asm(R"(
  .text
  .p2align 4
  .globl lockstep_switch_stack
  .hidden lockstep_switch_stack
  .type lockstep_switch_stack, %function
lockstep_switch_stack:
  .cfi_startproc
  hint #34  // bti c: a far call may jump here
  sub sp, sp, #176
  .cfi_adjust_cfa_offset 176
  stp d8, d9, [sp, #16]
  .cfi_rel_offset d8, 16
  .cfi_rel_offset d9, 24
  stp d10, d11, [sp, #32]
  .cfi_rel_offset d10, 32
  .cfi_rel_offset d11, 40
  stp d12, d13, [sp, #48]
  .cfi_rel_offset d12, 48
  .cfi_rel_offset d13, 56
  stp d14, d15, [sp, #64]
  .cfi_rel_offset d14, 64
  .cfi_rel_offset d15, 72
  stp x19, x20, [sp, #80]
  .cfi_rel_offset x19, 80
  .cfi_rel_offset x20, 88
  stp x21, x22, [sp, #96]
  .cfi_rel_offset x21, 96
  .cfi_rel_offset x22, 104
  stp x23, x24, [sp, #112]
  .cfi_rel_offset x23, 112
  .cfi_rel_offset x24, 120
  stp x25, x26, [sp, #128]
  .cfi_rel_offset x25, 128
  .cfi_rel_offset x26, 136
  stp x27, x28, [sp, #144]
  .cfi_rel_offset x27, 144
  .cfi_rel_offset x28, 152
  stp x29, x30, [sp, #160]
  .cfi_rel_offset x29, 160
  .cfi_rel_offset x30, 168
  mrs x2, fpcr
  str x2, [sp]

  mov x3, sp
  str x3, [x0]
  mov sp, x1

  ldr x3, [sp]
  cmp x2, x3
  b.eq 1f
  msr fpcr, x3
1:
  ldp d8, d9, [sp, #16]
  ldp d10, d11, [sp, #32]
  ldp d12, d13, [sp, #48]
  ldp d14, d15, [sp, #64]
  ldp x19, x20, [sp, #80]
  ldp x21, x22, [sp, #96]
  ldp x23, x24, [sp, #112]
  ldp x25, x26, [sp, #128]
  ldp x27, x28, [sp, #144]
  ldp x29, x30, [sp, #160]
  add sp, sp, #176
  .cfi_def_cfa sp, 0
  .cfi_restore d8
  .cfi_restore d9
  .cfi_restore d10
  .cfi_restore d11
  .cfi_restore d12
  .cfi_restore d13
  .cfi_restore d14
  .cfi_restore d15
  .cfi_restore x19
  .cfi_restore x20
  .cfi_restore x21
  .cfi_restore x22
  .cfi_restore x23
  .cfi_restore x24
  .cfi_restore x25
  .cfi_restore x26
  .cfi_restore x27
  .cfi_restore x28
  .cfi_restore x29
  .cfi_restore x30
  ret
  .cfi_endproc
  .size lockstep_switch_stack, . - lockstep_switch_stack

  .p2align 4
  .type lockstep_bottom_of_stack, %function
lockstep_bottom_of_stack:
  .cfi_startproc
  .cfi_undefined x30
  nop
lockstep_begin_stack:
  blr x19
  brk #1
  .cfi_endproc
  .size lockstep_bottom_of_stack, . - lockstep_bottom_of_stack
  .globl lockstep_begin_stack
  .hidden lockstep_begin_stack
)");
#endif

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" [[gnu::visibility("hidden")]] void lockstep_begin_stack();

namespace lockstep::detail {

namespace {

/// A stack that was left, as lockstep_switch_stack lays it out.
#ifdef __x86_64__
struct left_stack {
  std::uint32_t mxcsr = __builtin_ia32_stmxcsr();
  std::uint16_t x87_control = x87_control_now();
  std::uint64_t r15, r14, r13, r12;
  void (*called)();  ///< rbx
  std::uint64_t rbp;
  void (*goes_on_at)();

  static std::uint16_t x87_control_now() {
    std::uint16_t now = 0;
    asm volatile("fnstcw %0" : "=m"(now));
    return now;
  }
};
static_assert(sizeof(left_stack) == 64);
#else
struct alignas(16) left_stack {
  std::uint64_t fpcr = fpcr_now();
  std::uint64_t unused;
  std::uint64_t d8_to_d15[8];
  void (*called)();  ///< x19
  std::uint64_t x20_to_x29[10];
  void (*goes_on_at)();  ///< x30

  static std::uint64_t fpcr_now() {
    std::uint64_t now = 0;
    asm volatile("mrs %0, fpcr" : "=r"(now));
    return now;
  }
};
static_assert(sizeof(left_stack) == 176);
#endif

}  // namespace

void* lay_out_stack(std::byte* top, void (*entry)()) {
  left_stack begin{};
  begin.called = entry;
  begin.goes_on_at = lockstep_begin_stack;
  // A function finds its stack at a multiple of 16 before it is called.
  top -= reinterpret_cast<std::uintptr_t>(top) % 16;
  std::memcpy(top - sizeof(begin), &begin, sizeof(begin));
  return top - sizeof(begin);
}

}  // namespace lockstep::detail

#endif
