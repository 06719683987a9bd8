// What thresholds and alerts say of one object: the shapes in its head, its open spans, and the limits in its charts.
import { html, nothing } from "../../core/html.js";
import { alertVersion } from "../../core/alerts.js";
import { isUsual } from "../../core/bounds.js";
import { get, post } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { IMPACTS } from "../../core/health.js";
import { MARKS, rank } from "../../core/severity.js";
import { href } from "../../core/url.js";
import { severityShape } from "../../parts/shapes.js";

const MOST = 200;

export class ObjectAlerts {
  #limits = { of: null, map: new Map() };

  constructor(id) {
    this.id = id;
    this.health = new Load((_version, signal) => get(`/objects/${id}/health`, {}, signal));
    this.alerts = new Load((from, to, _version, signal) =>
      get("/alerts", { object: id, from: String(from), to: String(to), limit: MOST }, signal),
    );
    // Rules that hold for the object: those of its kind whose scope it is in, with the override that decides for it.
    this.rules = new Load(async (kind, _tick, signal) => {
      const { items } = await get(
        "/thresholds",
        { adapterKind: kind.adapterKind, objectKind: kind.objectKind, enabled: true, limit: MOST },
        signal,
      );
      const inside = async (scope) => {
        if (!Object.keys(scope ?? {}).length) return true;
        if (scope.objects?.length && !scope.objects.includes(id)) return false;
        return (
          (await post("/scopes/match", { objectKind: kind, scope: { ...scope, objects: [id] }, limit: 1 }, signal))
            .total > 0
        );
      };
      const held = await Promise.all(
        items
          .filter((t) => t.condition.type === "metric")
          .map(async (t) => {
            if (!(await inside(t.scope))) return null;
            let { levels } = t.condition;
            for (const o of t.overrides ?? []) {
              if (!(await inside(o.scope))) continue;
              if (o.enabled === false) levels = [];
              else levels = o.levels ?? t.condition.levels;
            }
            return { ...t, levels };
          }),
      );
      return held.filter(Boolean);
    });
  }

  want(object, from, to, tick) {
    this.health.want(alertVersion());
    this.alerts.want(from, to, alertVersion());
    if (object) this.rules.want({ adapterKind: object.adapterKind, objectKind: object.objectKind }, tick);
  }

  /** Limits of a metric: those of its rules as numbers, and those of alerts on it, whatever they come from. */
  limits(key) {
    if (this.#limits.of !== this.rules.data || this.#limits.alerts !== this.alerts.data)
      this.#limits = { of: this.rules.data, alerts: this.alerts.data, map: new Map() };
    const { map } = this.#limits;
    if (!map.has(key)) map.set(key, this.#limitsOf(key));
    return map.get(key);
  }

  #limitsOf(key) {
    const found = new Map();
    const put = (bound, severity) => {
      if (typeof bound !== "number") return;
      if (rank(severity) > rank(found.get(bound))) found.set(bound, severity);
    };
    for (const rule of this.rules.data ?? []) {
      if (rule.condition.key !== key) continue;
      for (const level of rule.levels)
        for (const bound of [level.bound, level.upper])
          if (bound?.type === "number") put((bound.factor ?? 1) * bound.value + (bound.offset ?? 0), level.severity);
    }
    // The range of an outlier group moves with its members: it is drawn as a band, where peers are.
    for (const { alert, member } of this.#members(key))
      if (alert.definition.source !== "outlier-group" && !isUsual(member))
        for (const bound of [member.bound, member.upper]) put(bound, member.severity);
    return [...found].map(([value, severity]) => ({ value, colour: MARKS[severity], word: `limit of ${severity}` }));
  }

  #members(key) {
    return (this.alerts.data?.items ?? []).flatMap((alert) =>
      alert.members.filter((m) => m.key === key && m.object.id === this.id).map((member) => ({ alert, member })),
    );
  }

  /** When something was open on a metric. */
  washes(key) {
    return this.#members(key).map(({ alert, member }) => ({
      from: Date.parse(member.since),
      to: alert.canceledAt ? Date.parse(alert.canceledAt) : Date.now(),
    }));
  }

  /** The worst that is open now on a metric; null for none. */
  worst(key) {
    return this.#members(key).reduce(
      (worst, { alert, member }) =>
        !alert.canceledAt && rank(member.severity) > rank(worst) ? member.severity : worst,
      null,
    );
  }

  /** Health, risk and efficiency as shapes, each with what is on the object and below it. */
  badges(object) {
    const health = this.health.data;
    if (!health || !object) return nothing;
    return html`<span class="badges"
      >${IMPACTS.map((impact) => {
        const badge = health[impact];
        const words = badge.severity
          ? `${badge.severity}: ${badge.own.count} on it, ${badge.below.count} below it`
          : "nothing open on it or below it";
        return html`<a
          class="row"
          href=${href("/alerts", { scope: this.id, q: `impact:${impact}` })}
          title=${`${impact}, ${words}`}
          >${severityShape(badge.severity ?? null, 12)}<span class=${badge.severity ? "" : "m"}
            >${impact[0].toUpperCase()}${impact.slice(1)}</span
          ></a
        >`;
      })}</span
    >`;
  }
}
