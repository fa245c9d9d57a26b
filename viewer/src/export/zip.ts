/// A file of an archive.
export interface NamedText {
  name: string; // in ASCII
  text: string;
}

const first_of_1980 = 0x21; // the date of all, so that the same files give the same bytes

/// Puts texts into a zip archive, as they are.
export function zipped(files: readonly NamedText[]): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const file of files) {
    const name = encoder.encode(file.name);
    const data = encoder.encode(file.text);
    const about = [
      [20, 2], // version, then flags, method and time
      [0, 6],
      [first_of_1980, 2],
      [checksum(data), 4],
      [data.length, 4],
      [data.length, 4],
      [name.length, 2],
      [0, 2],
    ];
    const head = packed([[0x04034b50, 4], ...about]);
    directory.push(packed([[0x02014b50, 4], [20, 2], ...about, [0, 10], [offset, 4]]), name);
    parts.push(head, name, data);
    offset += head.length + name.length + data.length;
  }
  const size = lengthOf(directory);
  const count = files.length;
  const end = packed([[0x06054b50, 4], [0, 4], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2]]);
  return joined([...parts, ...directory, end]);
}

/// Packs numbers into that many bytes each, the lowest first.
function packed(fields: readonly number[][]): Uint8Array {
  const bytes = fields.flatMap(([value, length]) =>
    Array.from({ length }, (_, at) => (at < 4 ? (value >>> (8 * at)) & 255 : 0)),
  );
  return Uint8Array.from(bytes);
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/// The CRC-32 of data.
function checksum(data: Uint8Array): number {
  let sum = -1;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; ++bit) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
