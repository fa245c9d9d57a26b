# What docs/traces.md says to do with run.dot.
dot -Tsvg run.dot > run.html
gvpr 'BEG_G { writeG($G, $G.name + ".dot"); }' run.dot
dot -Tpng -O step_*.dot
