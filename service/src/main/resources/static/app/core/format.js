// Figures: at most 4 significant digits, grouping from 10,000, "-" for no value, one unit per axis.
export const NONE = "-";

const has = (v) => v !== null && v !== undefined && Number.isFinite(v);

function grouped(text) {
  const [whole, part] = text.split(".");
  const sign = whole.startsWith("-") ? "-" : "";
  const digits = sign ? whole.slice(1) : whole;
  const thin = digits.length >= 5 ? digits.replace(/\B(?=(\d{3})+$)/g, ",") : digits;
  return sign + thin + (part ? `.${part}` : "");
}

/** A figure of at most 4 significant digits: 0.4231, 41.3, 9876, 41,306. */
export function number(v, digits = 4) {
  if (!has(v)) return NONE;
  const size = Math.abs(v);
  if (size === 0) return "0";
  if (size >= 1000) return grouped(String(Math.round(v)));
  const places = Math.min(6, Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
  return String(Number(v.toFixed(places)));
}

/** As read at a glance, with the same decimals from value to value: 57.0, 2.1, 412; whole numbers stay whole. */
export function short(v) {
  if (!has(v)) return NONE;
  const size = Math.abs(v);
  if (Number.isInteger(v) || size >= 100) return number(Math.round(v));
  return size < 0.01 ? number(v, 2) : v.toFixed(size >= 1 ? 1 : 2);
}

/** A name of at most `most` letters, cut in its middle: what tells the names of devices apart is at their end. */
export const shortened = (name, most) =>
  name.length <= most
    ? name
    : `${name.slice(0, Math.floor((most - 1) / 2))}\u2026${name.slice(-Math.ceil((most - 1) / 2))}`;

export const count = (v) => (has(v) ? grouped(String(Math.round(v))) : NONE);

// Ladders from small to large: [factor in base units, name].
const decimal = (unit) => [
  [1, unit],
  [1e3, `k${unit}`],
  [1e6, `M${unit}`],
  [1e9, `G${unit}`],
  [1e12, `T${unit}`],
];
const binary = (suffix) => [
  [1, `B${suffix}`],
  [1024, `KiB${suffix}`],
  [1024 ** 2, `MiB${suffix}`],
  [1024 ** 3, `GiB${suffix}`],
  [1024 ** 4, `TiB${suffix}`],
  [1024 ** 5, `PiB${suffix}`],
];
const LADDERS = {
  bits: decimal("bit/s"),
  bytes: binary(""),
  byteRate: binary("/s"),
  hertz: [
    [1e6, "MHz"],
    [1e9, "GHz"],
    [1e12, "THz"],
  ],
  time: [
    [1e-6, "\u00b5s"],
    [1e-3, "ms"],
    [1, "s"],
    [60, "min"],
    [3600, "h"],
    [86400, "d"],
  ],
};

// Units as collectors name them: [ladder or shown unit, factor to the base of the ladder].
const UNITS = {
  "%": ["%", 1],
  percent: ["%", 1],
  b: ["bytes", 1],
  byte: ["bytes", 1],
  bytes: ["bytes", 1],
  kb: ["bytes", 1024],
  kib: ["bytes", 1024],
  kilobytes: ["bytes", 1024],
  mb: ["bytes", 1024 ** 2],
  mib: ["bytes", 1024 ** 2],
  gb: ["bytes", 1024 ** 3],
  gib: ["bytes", 1024 ** 3],
  bps: ["byteRate", 1],
  "b/s": ["byteRate", 1],
  "bytes/s": ["byteRate", 1],
  kbps: ["byteRate", 1024],
  "kb/s": ["byteRate", 1024],
  "kib/s": ["byteRate", 1024],
  mbps: ["byteRate", 1024 ** 2],
  "mib/s": ["byteRate", 1024 ** 2],
  "bit/s": ["bits", 1],
  hz: ["hertz", 1],
  mhz: ["hertz", 1e6],
  ghz: ["hertz", 1e9],
  us: ["time", 1e-6],
  ms: ["time", 1e-3],
  millisecond: ["time", 1e-3],
  s: ["time", 1],
  second: ["time", 1],
  seconds: ["time", 1],
  number: ["", 1],
  num: ["", 1],
  count: ["", 1],
};

/**
 * How values of `unit` are shown when the largest is `most`: `{ unit, text(v), factor }`; network rates are in bits.
 */
export function scale(unit, most = 0, network = false) {
  let [ladder, base] = UNITS[(unit ?? "").toLowerCase()] ?? [unit ?? "", 1];
  if (network && ladder === "byteRate") [ladder, base] = ["bits", base * 8];
  const rungs = LADDERS[ladder];
  if (!rungs) return { unit: ladder, factor: base, text: (v) => number(v) };
  const size = Math.abs(most) * base;
  const rung =
    rungs.findLast(([step]) => size >= step) ??
    (size === 0 ? rungs.find(([step]) => step >= base) : rungs[0]) ??
    rungs[0];
  const factor = base / rung[0];
  return { unit: rung[1], factor, text: (v) => (has(v) ? number(v * factor) : NONE) };
}

/** A value with its unit: "412 Mbit/s". */
export function withUnit(v, unit, network = false) {
  if (!has(v)) return NONE;
  const s = scale(unit, v, network);
  return `${short(v * s.factor)}${s.unit ? ` ${s.unit}` : ""}`;
}

/**
 * A value beside a limit: a time in the unit of the limit, and with more decimals where rounding would make the two
 * alike.
 */
export function beside(v, limit, unit, network = false) {
  if (!has(v) || !has(limit) || v === limit) return withUnit(v, unit, network);
  const own = scale(unit, v, network);
  const other = scale(unit, limit, network);
  const isTime = LADDERS.time.some(([, name]) => name === other.unit);
  const s = isTime && limit && Math.abs(v * other.factor) >= 0.1 && Math.abs(v * other.factor) < 100 ? other : own;
  const [value, bound] = [v * s.factor, limit * s.factor];
  const plain = (v) => Number(short(v).replaceAll(",", ""));
  let text = short(value);
  if (plain(value) === plain(bound)) {
    const places = [1, 2, 3, 4, 5, 6].find((n) => value.toFixed(n) !== bound.toFixed(n));
    if (places) text = grouped(value.toFixed(places));
  }
  return `${text}${s.unit ? ` ${s.unit}` : ""}`;
}

export const bytes = (v) => withUnit(v, "bytes");

export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
