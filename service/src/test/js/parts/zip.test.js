import { zip } from "/app/parts/zip.js";
import { equal, test } from "/test/harness.js";

const inflated = async (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();

test("A ZIP has each file under its path, with its size and checksum", async () => {
  const texts = { "runs/ü.json": "a".repeat(5000), "runs/b.log": "" };
  const packed = await zip(Object.entries(texts).map(([path, text]) => [path, new Blob([text])]));
  const view = new DataView(await packed.arrayBuffer());
  const end = view.byteLength - 22;
  equal(view.getUint32(end, true), 0x06054b50);
  equal(view.getUint16(end + 10, true), 2);
  let at = view.getUint32(end + 16, true);
  const found = {};
  for (let i = 0; i < 2; i++) {
    equal(view.getUint32(at, true), 0x02014b50);
    const [size, whole, name] = [
      view.getUint32(at + 20, true),
      view.getUint32(at + 24, true),
      view.getUint16(at + 28, true),
    ];
    const head = view.getUint32(at + 42, true);
    equal(view.getUint32(head, true), 0x04034b50);
    equal(view.getUint32(head + 14, true), view.getUint32(at + 16, true));
    const path = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, name));
    found[path] = await inflated(new Uint8Array(view.buffer, head + 30 + name, size));
    equal(found[path].length, whole);
    at += 46 + name;
  }
  equal(found, texts);
});

test("The checksum in a ZIP is CRC-32", async () => {
  const packed = await zip([["a", new Blob(["123456789"])]]);
  equal(new DataView(await packed.arrayBuffer()).getUint32(14, true), 0xcbf43926);
});
