package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the pages say of whether it is an object itself or what carries it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VerdictModulesIT {

  private Chromium chromium;
  private PagesInstallation installation;
  private Page page;

  @BeforeAll
  void open() {
    chromium = Chromium.startOrSkip();
    installation = PagesInstallation.shared();
    page = chromium.browser().newContext(new NewContextOptions()).newPage();
    String url = installation.url() + "/";
    Visitor.sources(page, url, () -> page.navigate(url));
  }

  @AfterAll
  void close() {
    if (installation != null) {
      chromium.close();
    }
  }

  /**
   * Alerts of the VM: severity, and the number of its incident behind a colon; in parentheses those
   * of another object. Carriers: what is open on host and datastore, {@code ?} = not known.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "immediate | none none | It is this VM, not its host or datastore: nothing is open there.",
        "warning | none information | It is this VM, not its host or datastore: nothing is open there.",
        "immediate | warning none | Something is open on its host esx-1 too.",
        "immediate | none ? | ''",
        "information | none none | ''",
        "closed | none none | ''",
        "(critical) | none none | ''",
        "warning:7 | critical none | It is not this VM: its host esx-1 is short of memory.",
        "warning immediate:7 | critical none | It is not this VM: its host esx-1 is short of memory.",
        "warning:8 | none none | It may not be this VM: its host esx-1 is short of memory, a possible cause.",
        "critical:9 | none none | It is this VM: it explains 4 other alerts.",
        "warning:10 | none none | It is not this VM alone: VM waits for CPU: 11 objects in prod.",
        "warning:11 | none none | It is not this VM: another VM vm-2 is short of CPU.",
      })
  void theVerdictNamesACauseOnlyWhenItIsKnown(String alerts, String carriers, String expected) {
    List<Map<String, String>> list =
        Arrays.stream(alerts.split(" "))
            .map(
                a -> {
                  String[] parts = a.replaceAll("[()]", "").split(":");
                  return Map.of(
                      "severity", parts[0].equals("closed") ? "critical" : parts[0],
                      "state", parts[0].equals("closed") ? "canceled" : "active",
                      "object", a.startsWith("(") ? "host" : "vm",
                      "incident", parts.length > 1 ? parts[1] : "");
                })
            .toList();
    Object found =
        page.evaluate(
            """
            async a => {
              const { Verdict } = await import("/app/pages/shared/verdict.js");
              const { html, render } = await import("/app/core/html.js");
              const host = { id: "host", name: "esx-1", objectKind: "HostSystem" };
              const store = { id: "store", name: "san-1", objectKind: "Datastore" };
              const vm = { id: "vm", name: "vm-1", objectKind: "VirtualMachine" };
              const other = { id: "vm2", name: "vm-2", objectKind: "VirtualMachine" };
              const made = (number, object, title, confidence, alertCount) => ({ number, title, confidence, alertCount, severity: "critical", cause: object ? { id: "c", object } : undefined });
              const incidents = [made(7, host, "esx-1 is short of memory", "high", 23), made(8, host, "esx-1 is short of memory", "low", 23),
                made(9, vm, "vm-1 is short of CPU", "high", 5), made(10, null, "VM waits for CPU: 11 objects in prod", "low", 11), made(11, other, "vm-2 is short of CPU", "high", 3)];
              const real = window.fetch;
              window.fetch = async (url, how) => {
                const number = /incidents\\/(\\d+)$/.exec(url)?.[1];
                return number ? new Response(JSON.stringify({ incident: incidents.find(i => i.number === Number(number)), timeline: [], earlier: [] }), { headers: { "Content-Type": "application/json" } }) : real(url, how);
              };
              try {
                const verdict = new Verdict("vm");
                const alerts = a.alerts.map((x, i) => ({ ...x, id: `a${i}`, object: { id: x.object }, incident: x.incident ? Number(x.incident) : undefined }));
                const own = a.carriers.map(c => c === "?" ? null : { severity: null, own: c === "none" ? null : c, count: 0 });
                const near = { of: id => own[["host", "store"].indexOf(id)] };
                const find = () => verdict.find(vm, alerts, [host, store], near);
                verdict.want(alerts);
                // The incident is read; what needs it is not said before.
                const waits = alerts.some(x => x.incident);
                const early = waits ? find() : null;
                for (let i = 0; waits && !find() && i < 200; i++) await new Promise(done => setTimeout(done, 10));
                const box = document.createElement("div");
                const result = find();
                render(result ? html`${result.words}` : html``, box);
                return (early ? "too early: " : "") + box.textContent.replace(/\\s+/g, " ").trim();
              } finally {
                window.fetch = real;
              }
            }
            """,
            Map.of("alerts", list, "carriers", List.of(carriers.split(" "))));
    assertThat(found).isEqualTo(expected);
  }
}
