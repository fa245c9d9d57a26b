# Goes through the first switch of a program, one instruction at a time, and shows the calls at each.
break lockstep_switch_stack
run
delete
set $steps = 0
while $steps < 100
  stepi
  backtrace
  set $steps = $steps + 1
  if $pc == (unsigned long) &lockstep_begin_stack
    set $steps = 1000
    echo it has begun\n
  end
end
