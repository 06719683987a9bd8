// Starts the pages: session first, then the frame, then the page the address names.
import { onceMore } from "./core/api.js";
import { html, nothing, ref, render } from "./core/html.js";
import { onRedraw, redraw } from "./core/bus.js";
import { loadSession, session, signInFirst } from "./core/session.js";
import { pageArrives, pushKeys, releaseKeys, startKeys } from "./core/keys.js";
import { alertsChanged, markTab, startAlerts } from "./core/alerts.js";
import { isStale, startStatus, totals } from "./core/status.js";
import { shownOverview } from "./core/overview.js";
import { moment } from "./core/time.js";
import { timelineAgain } from "./core/timeline.js";
import { go, href, onPlace, place, startPlace } from "./core/url.js";
import { cursor, pin, startCursor } from "./chart/cursor.js";
import { bar, frameKeys } from "./frame/bar.js";
import { nav } from "./frame/nav.js";
import { allPlaces } from "./frame/places.js";
import { signInView } from "./frame/signin.js";
import { narrow, phone } from "./core/screen.js";
import { timeRail, watchRail } from "./frame/timerail.js";
import { closeLayersBefore, layerOpen, layerView } from "./parts/layer.js";
import { noticeView } from "./parts/notice.js";
import { failure } from "./parts/pane.js";

// A page module gives `page()`: an object with title, view(), update() and, as needed, keys(), leave(), timed, name,
// bare when it has the window for itself, and signIn() with its own way to sign in again.
/** @type {[RegExp, () => Promise<any>][]} */
const ROUTES = [
  [/^\/$/, () => import("./pages/overview/overview.js")],
  [/^\/explorer$/, () => import("./pages/explorer/explorer.js")],
  [/^\/objects\/([0-9a-f-]{36})$/, () => import("./pages/objects/object.js")],
  [/^\/compare$/, () => import("./pages/compare/compare.js")],
  [/^\/why-slow$/, () => import("./pages/why-slow/why-slow.js")],
  [/^\/dashboards$/, () => import("./pages/dashboards/dashboards.js")],
  [/^\/dashboards\/import$/, () => import("./pages/dashboards/import.js")],
  [/^\/dashboards\/(new|[0-9a-f-]{36})$/, () => import("./pages/dashboards/dashboard.js")],
  [/^\/reports$/, () => import("./pages/reports/reports.js")],
  [/^\/reports\/(new|[0-9a-f-]{36})$/, () => import("./pages/reports/report.js")],
  [/^\/alerts$/, () => import("./pages/alerts/alerts.js")],
  [/^\/alerts\/([0-9a-f-]{36})$/, () => import("./pages/alerts/alert.js")],
  [/^\/incidents\/([1-9]\d{0,17})$/, () => import("./pages/incidents/incident.js")],
  [/^\/outliers$/, () => import("./pages/outliers/outliers.js")],
  [/^\/outliers\/(new|[0-9a-f-]{36}\/edit)$/, () => import("./pages/outliers/wizard.js")],
  [/^\/outliers\/events\/([0-9a-f-]{36})$/, () => import("./pages/outliers/event.js")],
  [/^\/outliers\/([0-9a-f-]{36})$/, () => import("./pages/outliers/group.js")],
  [/^\/top-talkers$/, () => import("./pages/top-talkers/talkers.js")],
  [/^\/top-talkers\/flows$/, () => import("./pages/top-talkers/flows.js")],
  [/^\/top-talkers\/networks$/, () => import("./pages/top-talkers/networks.js")],
  [/^\/top-talkers\/reports$/, () => import("./pages/top-talkers/reports.js")],
  [/^\/top-talkers\/reports\/(new|[0-9a-f-]{36})$/, () => import("./pages/top-talkers/report.js")],
  [/^\/wall$/, () => import("./pages/wall/wall.js")],
  [/^\/wall\/([^/]{1,600})$/, () => import("./pages/wall/playlist.js")],
  [/^\/walls$/, () => import("./pages/walls/walls.js")],
  [/^\/walls\/(new|[0-9a-f-]{36})$/, () => import("./pages/walls/edit.js")],
  [/^\/link\/([0-9a-f-]{36})$/, () => import("./pages/link/link.js")],
  [/^\/right-sizing$/, () => import("./pages/right-sizing/right-sizing.js")],
  [/^\/benchmark-runs$/, () => import("./pages/benchmark-runs/runs.js")],
  [/^\/benchmark-runs\/import$/, () => import("./pages/benchmark-runs/bring.js")],
  [/^\/benchmark-runs\/([0-9a-f-]{36})$/, () => import("./pages/benchmark-runs/run.js")],
  [/^\/load-profiles$/, () => import("./pages/load-profiles/profiles.js")],
  [/^\/load-profiles\/new$/, () => import("./pages/load-profiles/new.js")],
  [/^\/load-profiles\/([0-9a-f-]{36})$/, () => import("./pages/load-profiles/profile.js")],
  [/^\/super-metrics$/, () => import("./pages/super-metrics/super-metrics.js")],
  [/^\/super-metrics\/import$/, () => import("./pages/super-metrics/import.js")],
  [/^\/super-metrics\/(new|[0-9a-f-]{36})$/, () => import("./pages/super-metrics/super-metric.js")],
  [/^\/thresholds$/, () => import("./pages/thresholds/thresholds.js")],
  [/^\/thresholds\/import$/, () => import("./pages/thresholds/import.js")],
  [/^\/thresholds\/definitions\/(new|[0-9a-f-]{36})$/, () => import("./pages/thresholds/alert-definition.js")],
  [/^\/thresholds\/(new|[0-9a-f-]{36})$/, () => import("./pages/thresholds/threshold.js")],
  [/^\/notifications$/, () => import("./pages/notifications/notifications.js")],
  [/^\/notifications\/rules\/(new|[0-9a-f-]{36})$/, () => import("./pages/notifications/rule.js")],
  [/^\/notifications\/templates\/import$/, () => import("./pages/notifications/import.js")],
  [/^\/notifications\/templates\/([a-z0-9-]{1,64})$/, () => import("./pages/notifications/template.js")],
  [/^\/notifications\/targets\/(new|[0-9a-f-]{36})$/, () => import("./pages/notifications/target.js")],
  [/^\/notifications\/relays\/(new|[0-9a-f-]{36})$/, () => import("./pages/notifications/relay.js")],
  [/^\/notifications\/silences\/(new|[0-9a-f-]{36})$/, () => import("./pages/notifications/silence.js")],
  [/^\/notifications\/deliveries\/([0-9a-f-]{36})$/, () => import("./pages/notifications/delivery.js")],
  [/^\/sources$/, () => import("./pages/sources/sources.js")],
  [/^\/ingest$/, () => import("./pages/ingest/ingest.js")],
  [/^\/settings$/, () => import("./pages/settings/settings.js")],
  [/^\/settings\/audit$/, () => import("./pages/settings/audit.js")],
  [/^\/settings\/maintenance\/(new|[0-9a-f-]{36})$/, () => import("./pages/settings/maintenance.js")],
  [/^\/settings\/groups\/(new|[0-9a-f-]{36})$/, () => import("./pages/settings/group.js")],
  [/^\/help(?:\/([a-z-]{1,40}))?$/, () => import("./pages/help/help.js")],
  [/^\/ui-kit$/, () => import("./pages/help/ui-kit.js")],
  [/.*/, () => import("./pages/help/missing.js")],
];

let current = { title: "", view: () => nothing, update() {} };
let currentPath = null;
let shownPath = null;
let broken = null;
let ready = false;

const routeOf = (path) => ROUTES.find(([pattern]) => pattern.test(path));

/** The path of the page that is wanted: that of a dashboard where one stands in the place of Overview. */
function wantedPath() {
  const own = place.path === "/" ? shownOverview() : null;
  return own ? `/dashboards/${own.id}` : place.path;
}

/** A page with what it alone needs, such as the editor. */
const whole = async (module) => (await module.loads?.(), module);

// The index names style sheets that only some pages need, off, with the first parts of the addresses of these.
const sheets = new Map();

function sheet(/** @type {HTMLLinkElement} */ link) {
  if (!sheets.has(link)) {
    const loaded = new Promise((resolve, reject) => {
      link.onload = resolve;
      link.onerror = () => reject(new Error("A style sheet did not load."));
    });
    loaded.catch(() => {
      sheets.delete(link);
      link.disabled = true;
    });
    sheets.set(link, loaded);
    link.disabled = false;
  }
  return sheets.get(link);
}

/** The module of a page, with the style sheets that it needs. */
async function bring(path, load) {
  const of = path.split("/")[1];
  const links = /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[data-pages]"));
  const wanted = [...links].filter((link) => link.dataset.pages.split(" ").includes(of));
  const [module] = await Promise.all([load().then(whole), ...wanted.map(sheet)]);
  return module;
}

/**
 * Loads a page; when the server was updated meanwhile, its bundles have other names, which the window learns by loading
 * itself anew.
 */
async function loadPage(load) {
  try {
    return await load().catch(() => onceMore().then(load));
  } catch (error) {
    const index = await fetch("/", { cache: "no-cache" }).then(
      (answer) => answer.text(),
      () => null,
    );
    const own = new URL(/** @type {HTMLScriptElement} */ (document.querySelector("script[type=module]")).src).pathname;
    if (index !== null && !index.includes(own)) location.reload();
    throw error;
  }
}

async function arrive() {
  if (wantedPath() === currentPath) {
    current.update?.();
    redraw();
    return;
  }
  const path = (currentPath = wantedPath());
  const since = place.since;
  const [pattern, load] = routeOf(path);
  try {
    const module = await loadPage(() => bring(path, load));
    if (path !== currentPath) return;
    current.leave?.();
    closeLayersBefore(since);
    broken = null;
    current = module.page(...(pattern.exec(path)?.slice(1) ?? []));
    current.update?.();
  } catch (error) {
    broken = error;
  }
  shownPath = path;
  redraw();
}

const retry = () => {
  currentPath = null;
  arrive();
};

function staleLine() {
  if (!isStale() || place.path === "/ingest") return nothing;
  const { lag: waiting, newestSampleAt } = totals();
  const lag =
    waiting === null
      ? "Ingest does not know its lag."
      : waiting > 0
        ? `${waiting} records wait.`
        : "Nothing waits in Kafka.";
  return html`<div class="stale" role="status">
    No new data since ${moment(Date.parse(newestSampleAt))}. ${lag} <a href=${href("/ingest")}>Open Ingest</a>
  </div>`;
}

function draw() {
  if (!ready) return;
  const title = current.title;
  markTab();
  document.title = title ? `${title} - Peerlens` : "Peerlens";
  const timed = current.timed !== false;
  const acts = narrow() && !broken ? (current.acts?.() ?? nothing) : nothing;
  const page = broken ? html`<section class="pane">${failure(broken, retry)}</section>` : current.view();
  if (current.bare && !broken) {
    render(
      html`<div class="app bare" ?inert=${layerOpen() || session.asking}>
          <main id="main" tabindex="-1" class=${current.name}>${page}</main>
        </div>
        ${layerView()} ${session.asking ? (current.signIn ?? signInView)(false) : nothing} ${noticeView()}`,
      document.getElementById("app"),
    );
    releaseKeys();
    return;
  }
  render(
    html`<a class="skip" href="#main" @click=${(e) => (e.preventDefault(), document.getElementById("main").focus())}
        >Skip to the page</a
      >
      <div class="app ${timed ? "" : "untimed"}" ?inert=${layerOpen() || session.asking}>
        ${nav()} ${bar({ timed, title: current.short ?? title })}
        ${timed && !narrow()
          ? html`<section class="rail-box" aria-label="Time rail">
              <div class="rail-in" ${ref(watchRail)}>${timeRail()}</div>
            </section>`
          : nothing}
        <div class="stale-box">${session.info ? staleLine() : nothing}</div>
        <main id="main" tabindex="-1" class=${current.name ?? ""} @scroll=${scrolled}>${page}</main>
        ${acts === nothing ? nothing : html`<div class="acts-bar" role="region" aria-label="What to do">${acts}</div>`}
      </div>
      ${layerView()} ${session.asking ? signInView(false) : nothing} ${noticeView()}`,
    document.getElementById("app"),
  );
  releaseKeys();
}

// Where lists scroll with the page, rows come into sight with it.
let seenAt = 0;
function scrolled(event) {
  if (!phone() || event.target.id !== "main" || Math.abs(event.target.scrollTop - seenAt) < 150) return;
  seenAt = event.target.scrollTop;
  redraw();
}

/** Whether the page that the address names is there. */
const isHere = () => ready && !session.asking && shownPath === wantedPath();

let firstView = () => signInView(true);

function drawSignIn() {
  document.title = "Sign in - Peerlens";
  render(firstView(), document.getElementById("app"));
}

function freePin() {
  if (cursor.pinned) pin(null);
  else current.escape?.();
}

/** The page of a public link: nobody signs in, and nothing but its dashboard is asked for. */
async function startLink() {
  session.link = location.hash.slice(1);
  session.info = null;
  addEventListener("hashchange", () => location.reload());
  startCursor();
  ready = true;
  onRedraw(draw);
  pushKeys(() => current.keys?.() ?? {});
  onPlace(arrive);
  await arrive();
}

async function start() {
  startPlace();
  pageArrives(isHere);
  startKeys();
  if (place.path.startsWith("/link/")) return startLink();
  onRedraw(drawSignIn);
  let signedIn = false;
  // Most are signed in: what they want to see loads while that is being asked.
  const first = wantedPath();
  bring(first, routeOf(first)[1]).catch(() => {});
  try {
    signedIn = await loadSession();
  } catch {
    session.error = "The server does not answer. Is Peerlens running?";
  }
  if (!signedIn) {
    if (/^\/wall(\/|$)/.test(place.path)) {
      const { pairView } = await import("./frame/pairing.js");
      firstView = () => pairView(true);
    }
    await signInFirst();
    session.asking = false;
  }
  ready = true;
  render(nothing, document.getElementById("app"));
  onRedraw(draw);
  startCursor();
  const goTo = Object.fromEntries(
    allPlaces()
      .filter((p) => p.key)
      .map((p) => [`G ${p.key}`, [() => go(p.path), p.name]]),
  );
  pushKeys(frameKeys({ ...goTo, Escape: [freePin, "Free the cursor, back"] }));
  pushKeys(() => current.keys?.() ?? {});
  onPlace(arrive);
  startStatus(() => {
    timelineAgain();
    alertsChanged();
    current.update?.();
    redraw();
  });
  await startAlerts();
  await arrive();
}

start();
