// A ZIP of files, made in the browser, so that a folder can be sent as one file.

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Numbers of two and four bytes, little-endian: `[bytes, value]` each. */
function fields(list) {
  const out = new DataView(new ArrayBuffer(list.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of list) {
    if (size === 2) out.setUint16(at, value, true);
    else out.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(out.buffer);
}

// A name in UTF-8, and the first day that a ZIP knows.
const UTF8 = 0x0800;
const DAY = 0x21;

/**
 * A ZIP of `[path, file]`, deflated one file after the other. Of fewer than 65,536 files and less than 4 GiB.
 * @param {[string, Blob][]} files
 */
export async function zip(files) {
  const parts = [];
  const index = [];
  let at = 0;
  for (const [path, file] of files) {
    const name = new TextEncoder().encode(path);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const packed = await deflated(bytes);
    const common = [
      [2, 20],
      [2, UTF8],
      [2, 8],
      [2, 0],
      [2, DAY],
      [4, crc32(bytes)],
      [4, packed.length],
      [4, bytes.length],
      [2, name.length],
      [2, 0],
    ];
    const head = fields([[4, 0x04034b50], ...common]);
    index.push(fields([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]]), name);
    parts.push(head, name, packed);
    at += head.length + name.length + packed.length;
  }
  const size = index.reduce((sum, part) => sum + part.length, 0);
  const end = fields([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, size],
    [4, at],
    [2, 0],
  ]);
  return new Blob([...parts, ...index, end], { type: "application/zip" });
}
