/// The colours of a picture, which a theme sets. They are those of Okabe and Ito, which the
/// colour-blind can tell apart, darker on paper and lighter on a dark ground.
export interface Colours {
  paper: string;
  ink: string;
  quiet: string; // labels of less weight
  link: string;
  node: string;
  edge: string; // of a node
  message: string;
  empty: string; // a message without words
  busy: string; // the busiest link
  clash: string; // contention, failures
  follow: string;
  chosen: string; // the chosen processor
  bound: string;
  low: string; // of a heat map
  high: string;
}

export const light: Colours = {
  paper: "#fffdf9",
  ink: "#22262e",
  quiet: "#666c78",
  link: "#c9c6bd",
  node: "#ffffff",
  edge: "#8b8f99",
  message: "#0072b2",
  empty: "#7d8694",
  busy: "#f0b429",
  clash: "#c22f00",
  follow: "#a3377f",
  chosen: "#22262e",
  bound: "#00805c",
  low: "#dfe8ee",
  high: "#0b3c5d",
};

export const dark: Colours = {
  paper: "#171a20",
  ink: "#eceae4",
  quiet: "#a4aab6",
  link: "#3d424d",
  node: "#232730",
  edge: "#757c8a",
  message: "#5db8f0",
  empty: "#8b93a3",
  busy: "#b8860b",
  clash: "#ff7a4d",
  follow: "#f0a3d0",
  chosen: "#ffffff",
  bound: "#3fd0a0",
  low: "#2b3440",
  high: "#ffe27a",
};

type Rgb = [number, number, number];

function rgb(hex: string): Rgb {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/// A colour between two, `share` of the way from the first to the second.
export function mixed(from: string, to: string, share: number): string {
  const a = rgb(from);
  const b = rgb(to);
  const part = (at: 0 | 1 | 2) =>
    Math.round(a[at] + (b[at] - a[at]) * share)
      .toString(16)
      .padStart(2, "0");
  return `#${part(0)}${part(1)}${part(2)}`;
}

const few = [
  "#56b4e9",
  "#e69f00",
  "#009e73",
  "#f0e442",
  "#cc79a7",
  "#0072b2",
  "#d55e00",
  "#bbbbbb",
];
const ramp = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"]; // viridis

/// The colour of a rank among `count`: of few a colour each, of many a place on a ramp.
export function rankColour(rank: number, count: number): string {
  if (rank < 0) return "transparent";
  if (count <= few.length) return few[rank % few.length];
  const place = (rank / Math.max(1, count - 1)) * (ramp.length - 1);
  const below = Math.min(ramp.length - 2, Math.floor(place));
  return mixed(ramp[below], ramp[below + 1], place - below);
}

/// Black or white, whichever can be read on this colour.
export function readableOn(colour: string): string {
  if (!colour.startsWith("#")) return "currentColor";
  const [r, g, b] = rgb(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return luminance > 0.18 ? "#000000" : "#ffffff";
}
