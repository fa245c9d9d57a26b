const shapes = {
  first: "M6 5v14M19 5 9 12l10 7z",
  back: "M17 5 7 12l10 7z",
  play: "M7 4.5 19 12 7 19.5z",
  pause: "M8 5v14M16 5v14",
  forward: "M7 5l10 7-10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  theme: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  type: "M3 19 9.5 5 16 19M5.5 14h8M19.5 7v7M16 10.5h7",
  all: "M4 9V4h5M20 15v5h-5M4 4l6 6M20 20l-6-6",
} as const;

const filled = new Set(["first", "back", "play", "forward", "last"]);

/// A sign on a button, drawn, for fonts lack many of them.
export function Icon({ name }: { name: keyof typeof shapes }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={shapes[name]}
        fill={filled.has(name) ? "currentColor" : "none"}
        stroke="currentColor"
        stroke-width={name === "pause" ? 4 : 2}
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
  );
}
