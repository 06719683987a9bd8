package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What Overview says of more alerts than it reads. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OverviewModulesIT {

  private Chromium chromium;
  private PagesInstallation installation;
  private Page page;

  @BeforeAll
  void open() {
    chromium = Chromium.startOrSkip();
    installation = PagesInstallation.shared();
    page = chromium.browser().newContext(new NewContextOptions()).newPage();
    String url = installation.url() + "/help";
    Visitor.sources(page, url, () -> page.navigate(url));
  }

  @AfterAll
  void close() {
    if (installation != null) {
      chromium.close();
    }
  }

  /** Ten incidents of 102 alerts each, and three more alerts, one of which an outlier raised. */
  @Test
  void aStormIsCountedWholeThoughOnlyAPartOfItIsRead() {
    Object said =
        page.evaluate(
            """
            async () => {
              const alert = (i, of) => ({ id: `a${i}`, number: i, definition: { id: "d", name: "VM memory is swapped out", source: "threshold" }, object: { id: `o${i}`, name: `vm-${i}`, objectKind: "VirtualMachine", adapterKind: "VMWARE" },
                severity: "immediate", state: "active", controlState: "open", since: "2026-11-23T18:54:00Z", openedAt: "2026-11-23T18:55:00Z", canceledAt: null, owner: null, members: [], flaps: 0, value: null, bound: null, upper: null, operator: "gt", unit: null, key: "mem|swapped_average", ...of });
              const incidents = Array.from({ length: 10 }, (_, i) => ({ number: i + 1, title: `esx-${i} is short of memory`, severity: "critical", confidence: "high", since: "2026-11-23T18:54:00Z", owner: i ? null : "ada",
                cause: { id: `a${i}`, object: { id: `h${i}`, name: `esx-${i}`, objectKind: "HostSystem" } }, alerts: [], alertCount: 102, openCount: 102, objectCount: 101 }));
              const lone = [alert(1, {}), alert(2, {}), alert(3, { definition: { id: "g", name: "web", source: "outlier-group" } })];
              const all = Array.from({ length: 300 }, (_, i) => alert(100 + i, { incident: 1 + i % 10 }));
              const asked = [];
              const real = window.fetch;
              window.fetch = async (url, how) => {
                const at = new URL(url, location.origin);
                const path = at.pathname.replace("/api/v1", "");
                const answer = path === "/alerts/counts" ? { total: 1023, items: [{ key: "ada", label: "ada", count: 102 }, { key: "nobody", label: "nobody", count: 921 }] }
                  : path === "/incidents" ? { items: incidents, total: 10, alone: 3 }
                  : path !== "/alerts" ? null
                  : at.searchParams.get("incident") === "none" ? { items: lone, total: 3, nextCursor: null } : { items: all, total: 1023, nextCursor: "x" };
                if (answer) asked.push(path + at.search);
                return answer ? new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } }) : real(url, how);
              };
              try {
                const m = await import("/app/pages/overview/alerts.js");
                const { html, render } = await import("/app/core/html.js");
                const box = document.createElement("div");
                const text = () => { render(html`${m.alertsPane()}`, box); return box.textContent.replace(/\\s+/g, " "); };
                const early = [];
                for (let i = 0; i < 300 && !text().includes("esx-8"); i++) {
                  m.wantAlerts("scope");
                  const headline = m.alertsHeadline(true);
                  if (headline) early.push(headline);
                  await new Promise(done => setTimeout(done, 10));
                }
                return [m.alertsHeadline(true), early.every(h => h.startsWith("1,022 ") || h.startsWith("1022 ")), text(), asked.every(a => a.includes("scope"))];
              } finally {
                window.fetch = real;
              }
            }
            """);
    List<?> parts = (List<?>) said;
    assertThat(parts.get(0))
        .asString()
        .matches("1,?022 other alerts are open, 920 without an owner\\.");
    assertThat(parts.get(1)).as("nothing else was said before").isEqualTo(true);
    assertThat(parts.get(2))
        .asString()
        .containsPattern("10 incidents of 1,?020 alerts, 2 not in one")
        .contains("esx-0 is short of memory", "102 alerts on 101 objects", "3 more")
        .doesNotContain("esx-9");
    assertThat(parts.get(3)).as("all within the scope").isEqualTo(true);
  }

  /** The newest value of its metric would read as a time of silence. */
  @Test
  void silenceIsCountedFromTheLastSample() {
    Object said =
        page.evaluate(
            """
            async () => {
              const real = window.fetch;
              let asked = 0;
              window.fetch = async (url, how) => String(url).includes("/series/latest") ? (asked++, new Response(JSON.stringify({ values: [{ objectId: "o", metric: "sys|uptime_latest", value: 1140 }] }), { headers: { "Content-Type": "application/json" } })) : real(url, how);
              try {
                const { wantValues, withNewest } = await import("/app/pages/alerts/values.js");
                const silent = { id: "a", operator: "no-data", key: "sys|uptime_latest", unit: "s", instance: null, text: null, value: 60, unknown: false, canceledAt: null, since: new Date(Date.now() - 420_000).toISOString(), members: [{ key: "sys|uptime_latest", object: { id: "o" } }] };
                wantValues([silent], 1);
                await new Promise(done => setTimeout(done, 100));
                return [Math.round(withNewest(silent).value / 10) * 10, withNewest({ ...silent, canceledAt: silent.since }).value, asked];
              } finally {
                window.fetch = real;
              }
            }
            """);
    assertThat(said).isEqualTo(List.of(420, 60, 0));
  }
}
