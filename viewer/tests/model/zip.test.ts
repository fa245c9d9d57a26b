import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { zipped } from "../../src/export/zip";

test("an archive has its files, and the same bytes each time", () => {
  const files = [
    { name: "a.svg", text: "<svg/>" },
    { name: "empty.txt", text: "" },
    { name: "long.txt", text: "\u2192 as UTF-8 ".repeat(300) },
  ];
  const archive = zipped(files);
  const read = Object.entries(unzipSync(archive)).map(([name, data]) => ({
    name,
    text: strFromU8(data),
  }));
  expect(read).toEqual(files);
  expect(zipped(files)).toEqual(archive);
  expect(unzipSync(zipped([]))).toEqual({});
});
