/// What pictures are drawn on: a canvas for what moves, SVG for export. Lengths are in pixels.
export interface Surface {
  polyline(points: readonly number[], style: Stroke): void;
  polygon(points: readonly number[], style: Fill): void;
  circle(x: number, y: number, radius: number, style: Fill & Partial<Stroke>): void;
  text(x: number, y: number, text: string, style: Lettering): void;
}

export interface Stroke {
  stroke: string;
  width: number;
  dash?: number[];
  alpha?: number;
}

export interface Fill {
  fill?: string;
  alpha?: number;
}

export interface Lettering {
  size: number;
  fill: string;
  anchor?: "start" | "middle" | "end";
  weight?: number;
  halo?: string; // colour behind the letters
  alpha?: number;
}

const font = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif";

export class CanvasSurface implements Surface {
  constructor(private readonly m_context: CanvasRenderingContext2D) {}

  polyline(points: readonly number[], style: Stroke): void {
    const context = this.m_context;
    context.globalAlpha = style.alpha ?? 1;
    context.strokeStyle = style.stroke;
    context.lineWidth = style.width;
    context.setLineDash(style.dash ?? []);
    this.trace(points);
    context.stroke();
  }

  polygon(points: readonly number[], style: Fill): void {
    this.m_context.globalAlpha = style.alpha ?? 1;
    this.m_context.fillStyle = style.fill ?? "none";
    this.trace(points);
    this.m_context.fill();
  }

  circle(x: number, y: number, radius: number, style: Fill & Partial<Stroke>): void {
    const context = this.m_context;
    context.globalAlpha = style.alpha ?? 1;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    if (style.fill) {
      context.fillStyle = style.fill;
      context.fill();
    }
    if (!style.stroke) return;
    context.strokeStyle = style.stroke;
    context.lineWidth = style.width ?? 1;
    context.setLineDash(style.dash ?? []);
    context.stroke();
  }

  text(x: number, y: number, text: string, style: Lettering): void {
    const context = this.m_context;
    context.globalAlpha = style.alpha ?? 1;
    context.font = `${style.weight ?? 400} ${style.size}px ${font}`;
    context.textAlign =
      style.anchor === "start" ? "left" : style.anchor === "end" ? "right" : "center";
    context.textBaseline = "middle";
    if (style.halo) {
      context.setLineDash([]);
      context.lineJoin = "round";
      context.strokeStyle = style.halo;
      context.lineWidth = style.size / 2.4;
      context.strokeText(text, x, y);
    }
    context.fillStyle = style.fill;
    context.fillText(text, x, y);
  }

  private trace(points: readonly number[]): void {
    const context = this.m_context;
    context.lineJoin = "round";
    context.lineCap = "round";
    context.beginPath();
    context.moveTo(points[0], points[1]);
    for (let at = 2; at + 1 < points.length; at += 2) context.lineTo(points[at], points[at + 1]);
  }
}

/// Writes what is drawn as the elements of an SVG picture.
export class SvgSurface implements Surface {
  private readonly m_elements: string[] = [];

  polyline(points: readonly number[], style: Stroke): void {
    this.m_elements.push(
      `<polyline points="${list(points)}" fill="none" ${strokeText(style)}${alphaText(style)}/>`,
    );
  }

  polygon(points: readonly number[], style: Fill): void {
    const fill = escaped(style.fill ?? "none");
    this.m_elements.push(`<polygon points="${list(points)}" fill="${fill}"${alphaText(style)}/>`);
  }

  circle(x: number, y: number, radius: number, style: Fill & Partial<Stroke>): void {
    const stroke = style.stroke
      ? " " + strokeText({ ...style, stroke: style.stroke, width: style.width ?? 1 })
      : "";
    this.m_elements.push(
      `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" ` +
        `fill="${escaped(style.fill ?? "none")}"${stroke}${alphaText(style)}/>`,
    );
  }

  text(x: number, y: number, text: string, style: Lettering): void {
    const halo = style.halo
      ? ` stroke="${escaped(style.halo)}" stroke-width="${short(style.size / 2.4)}" ` +
        'stroke-linejoin="round" paint-order="stroke"'
      : "";
    this.m_elements.push(
      `<text x="${short(x)}" y="${short(y)}" font-size="${short(style.size)}" ` +
        `font-weight="${style.weight ?? 400}" fill="${escaped(style.fill)}" ` +
        `text-anchor="${style.anchor ?? "middle"}" dominant-baseline="central"` +
        `${halo}${alphaText(style)}>${escaped(text)}</text>`,
    );
  }

  /// The whole picture, of this size in pixels, on this background.
  picture(width: number, height: number, background: string, title: string): string {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" font-family="${escaped(font)}" role="img">` +
      `<title>${escaped(title)}</title>` +
      `<rect width="${width}" height="${height}" fill="${escaped(background)}"/>` +
      this.m_elements.join("") +
      "</svg>"
    );
  }
}

function strokeText(style: Stroke): string {
  const dash = style.dash?.length ? ` stroke-dasharray="${style.dash.join(" ")}"` : "";
  return (
    `stroke="${escaped(style.stroke)}" stroke-width="${short(style.width)}" ` +
    `stroke-linecap="round" stroke-linejoin="round"${dash}`
  );
}

function alphaText(style: { alpha?: number }): string {
  return style.alpha === undefined || style.alpha === 1 ? "" : ` opacity="${short(style.alpha)}"`;
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function list(points: readonly number[]): string {
  return points.map(short).join(" ");
}

export function escaped(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}
