// Maintenance windows in words.
import { clock, date, duration, moment, sameDay } from "../../core/time.js";

export const DAYS = [
  ["mon", "Mon"],
  ["tue", "Tue"],
  ["wed", "Wed"],
  ["thu", "Thu"],
  ["fri", "Fri"],
  ["sat", "Sat"],
  ["sun", "Sun"],
];

export function daysText(days) {
  const chosen = DAYS.filter(([d]) => (days ?? []).includes(d)).map(([, w]) => w);
  if (chosen.length === 7) return "every day";
  if (chosen.join() === "Mon,Tue,Wed,Thu,Fri") return "Monday to Friday";
  if (chosen.join() === "Sat,Sun") return "at weekends";
  return chosen.length ? `every ${chosen.join(", ").replace(/, (\w+)$/, " and $1")}` : "on no day";
}

/** From one moment to another, the date once when it is one day. */
function spanText({ from, to }) {
  const [a, b] = [Date.parse(from), Date.parse(to)];
  return sameDay(a, b) ? `${moment(a)} to ${clock(b)}` : `${date(a)} ${clock(a)} to ${date(b)} ${clock(b)}`;
}

/** When it takes effect: "every Tue and Thu 22:00 for 2h, Europe/Berlin". */
/** @param {{oneOff?: any, recurring?: any}} window */
export function whenText({ oneOff, recurring }) {
  if (oneOff) return spanText(oneOff);
  if (!recurring) return "never";
  const { days, start, duration: length, zone, from, until } = recurring;
  return `${daysText(days)} at ${start} for ${length}, ${zone}${from ? `, from ${from}` : ""}${until ? ` until ${until}` : ""}`;
}

/** The next time, or that it is now. */
export function nextText({ enabled, activeNow, next }) {
  if (!enabled) return "switched off";
  if (activeNow) return `now, until ${next ? moment(Date.parse(next.to)) : "it is ended"}`;
  return next ? `${spanText(next)}, in ${duration(Date.parse(next.from) - Date.now())}` : "none to come";
}
