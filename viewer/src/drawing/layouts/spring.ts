import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from "d3-force";
import type { MachineJson } from "../../data/format";
import { undirected, type Layout } from "./layout";
import { normalise, placedLayout } from "./placed";

/// Draws any graph: links as springs, processors that push each other away. It is made once, and
/// the same each time: d3-force draws its random numbers from a fixed seed.
export function springLayout(machine: MachineJson): Layout {
  const nodes: SimulationNodeDatum[] = Array.from({ length: machine.processors }, () => ({}));
  const links = undirected(machine.links).map(({ from, to }) => ({ source: from, target: to }));
  const rounds = machine.processors > 300 ? 120 : 300;
  forceSimulation(nodes)
    .force("link", forceLink(links).distance(1).strength(1))
    .force("apart", forceManyBody().strength(-2.5))
    .force("collide", forceCollide(0.45))
    .force("x", forceX(0).strength(0.02))
    .force("y", forceY(0).strength(0.02))
    .stop()
    .tick(rounds);
  const x = Float64Array.from(nodes, (node) => node.x ?? 0);
  const y = Float64Array.from(nodes, (node) => node.y ?? 0);
  normalise(x, y);
  return placedLayout(machine, "spring layout", x, y, () => 0);
}
