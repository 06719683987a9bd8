package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** The modules of the pages one by one, in the browser that runs them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("measures how long drawing takes")
class PageModulesIT {

  private Chromium chromium;
  private PagesInstallation installation;
  private Page page;

  @BeforeAll
  void open() {
    chromium = Chromium.startOrSkip();
    installation = PagesInstallation.shared();
    page =
        chromium
            .browser()
            .newContext(new NewContextOptions().setTimezoneId("Europe/Berlin"))
            .newPage();
    String url = installation.url() + "/";
    Visitor.sources(page, url, () -> page.navigate(url));
  }

  @AfterAll
  void close() {
    if (installation != null) {
      chromium.close();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "97.13 | % | false | 97.1 %",
        "0 | % | false | 0 %",
        "52736 | KBps | true | 432 Mbit/s",
        "52736 | KBps | false | 51.5 MiB/s",
        "8388608 | KB | false | 8 GiB",
        "41306 |  | false | 41,306",
        "9876 |  | false | 9876",
        "2400 | MHz | false | 2.4 GHz",
        "0.0021 | s | false | 2.1 ms",
        "NaN | % | false | -",
        "1800 | s | false | 30 min",
      })
  void valuesAreShownInAUnitThatFits(double value, String unit, boolean network, String shown) {
    assertThat(
            run(
                "format",
                "m.withUnit(a.value, a.unit, a.network)",
                Map.of("value", value, "unit", unit == null ? "" : unit, "network", network)))
        .isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gt            | 90   |      | above 90 %           | above 90 %",
        "outside       | 13   | 33.3 | outside 13 % to 33.3 % | outside 13 % to 33.3 %",
        "gt-usual      | -13  | 32.8 | above the usual -13 % to 32.8 % | above 32.8 %",
        "lt-usual      | 13   | 32.8 | below the usual 13 % to 32.8 % | below 13 %",
        "outside-usual | 13   | 32.8 | outside the usual 13 % to 32.8 % | outside 13 % to 32.8 %",
        "gt-usual      | 32.8 |      | above the usual 32.8 % | above 32.8 %",
        "no-data       |      |      |                      | ",
      })
  void aNarrowColumnNamesOnlyTheEndOfTheUsualRangeThatWasLeft(
      String operator, @Nullable Double bound, @Nullable Double upper, String whole, String brief) {
    Map<String, Object> finding = new HashMap<>();
    finding.put("bound", bound);
    finding.put("upper", upper);
    finding.put("operator", operator);
    assertThat(
            run(
                "severity",
                "[m.against(a, a.operator, '%'), m.againstShort(a, a.operator, '%')]",
                finding))
        .isEqualTo(List.of(whole == null ? "" : whole, brief == null ? "" : brief));
  }

  /** Explanations of alerts use the same words: MetricWordsTest. */
  @ParameterizedTest
  @CsvFileSource(resources = "/metric-words.csv", delimiter = ';')
  void metricsReadAsWords(String key, String words, String onPages) {
    // In a sentence what follows the name stands in parentheses, on pages behind a comma.
    assertThat(onPages).startsWith(words.replace(" (", ", ").replace(")", ""));
    assertThat(run("metrics", "m.metricName(a)", key)).isEqualTo(onPages);
  }

  @ParameterizedTest
  @CsvSource({
    "datastore:naa.6000c1|read_average, san01",
    "datastore:naa.6000c2|read_average, naa.6000c2",
    "net:vmnic0|usage_average, vmnic0",
  })
  void anInstanceHasTheNameThatTheObjectSays(String key, String name) {
    assertThat(
            run(
                "metrics",
                "m.instanceName(a.key, a.properties)",
                Map.of("key", key, "properties", Map.of("datastore:naa.6000c1|name", "san01"))))
        .isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "3h, 180",
    "last 2 days, 2880",
    "yesterday 9-11, 120",
    "08:25 to 14:25, 360",
    "14 Mar 10:00 to 12:30, 150",
    "2026-11-20T08:00:00Z/2026-11-20T09:00:00Z, 60",
  })
  void rangesAreReadFromWords(String words, int minutes) {
    assertThat(
            run(
                "time",
                """
                (r => (r.relative ? m.span(r.relative) : r.to - r.from) / 60000)(m.parseRange(a, new Date("2026-11-20T23:00:00Z")))
                """,
                words))
        .isEqualTo(minutes);
  }

  /** Clocks go back on 25 October and forward on 29 March in Berlin. */
  @ParameterizedTest
  @CsvSource({
    "UTC, 2026-10-25T00:30:00Z, 2026-10-25 00:30",
    "Europe/Berlin, 2026-10-25T00:30:00Z, 2026-10-25 02:30",
    "Europe/Berlin, 2026-10-25T01:30:00Z, 2026-10-25 02:30",
    "Europe/Berlin, 2026-03-29T01:30:00Z, 2026-03-29 03:30",
    "Asia/Kolkata, 2026-11-23T20:00:00Z, 2026-11-24 01:30",
    "America/St_Johns, 2026-11-23T12:00:00Z, 2026-11-23 08:30",
  })
  void anInstantIsShownInTheZoneThatIsChosen(String zone, String instant, String shown) {
    assertThat(inZone(zone, "m.fieldText(Date.parse(a))", instant)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, 2026-10-25 02:30, 2026-10-25T00:30:00.000Z",
    "Europe/Berlin, 2026-03-29 02:30, 2026-03-29T01:30:00.000Z",
    "Europe/Berlin, 2026-11-23T14:05, 2026-11-23T13:05:00.000Z",
    "Asia/Kolkata, tomorrow 8:00, 2026-11-24T02:30:00.000Z",
    "Asia/Kolkata, 2026-11-23T10:00:00Z, 2026-11-23T10:00:00.000Z",
    "UTC, 14:05, 2026-11-23T14:05:00.000Z",
    "UTC, in 2h, 2026-11-23T15:00:00.000Z",
    "UTC, 2026-02-30 10:00, ''",
    "UTC, 3 parsecs, ''",
  })
  void aTypedTimeIsInTheZone(String zone, String typed, String instant) {
    assertThat(
            inZone(
                zone,
                "(t => (Number.isNaN(t) ? '' : new Date(t).toISOString()))(m.parseMoment(a, Date.parse('2026-11-23T13:00:00Z')))",
                typed))
        .isEqualTo(instant);
  }

  @Test
  void ticksOfDaysLieOnTheMidnightsOfTheZone() {
    assertThat(
            page.evaluate(
                """
                async () => {
                  const zone = await import('/app/core/zone.js');
                  const { timeTicks } = await import('/app/chart/scale.js');
                  zone.setZone('Europe/Berlin');
                  try {
                    return timeTicks(Date.parse('2026-10-23T12:00:00Z'), Date.parse('2026-10-27T12:00:00Z'), 500)
                      .map(([t, label]) => `${new Date(t).toISOString().slice(8, 16)} ${label}`);
                  } finally {
                    zone.setZone(null);
                  }
                }
                """))
        .isEqualTo(
            List.of("23T22:00 Sat 24", "24T22:00 Sun 25", "25T23:00 Mon 26", "26T23:00 Tue 27"));
  }

  private Object inZone(String zone, String expression, String argument) {
    return page.evaluate(
        """
        async ([zone, a]) => {
          const m = await import('/app/core/zone.js');
          m.setZone(zone);
          try {
            return %s;
          } finally {
            m.setZone(null);
          }
        }
        """
            .formatted(expression),
        List.of(zone, argument));
  }

  @ParameterizedTest
  @CsvSource({"tomorrow", "11-9", "3 parsecs", "32 Foo 10:00 to 11:00", "25 to 26"})
  void anInvalidRangeIsRefused(String words) {
    assertThat(run("time", "m.parseRange(a)", words)).isNull();
  }

  @Test
  void decimationKeepsEveryPeakWithTwoPointsInAColumn() {
    Object result =
        evaluate(
            """
            async () => {
              const { runs } = await import("/app/chart/decimate.js");
              const times = Array.from({ length: 20000 }, (_, i) => i * 1000);
              const values = times.map((_, i) => Math.sin(i / 50) * 10);
              values[7777] = 99;
              values[15001] = -99;
              const xs = Float64Array.from(times, t => t / 20_000_000 * 300);
              const lines = runs(times, xs, values, v => v, 2500);
              const ys = lines[0].filter((_, i) => i % 2);
              const perColumn = Map.groupBy(lines[0].filter((_, i) => i % 2 === 0), Math.floor);
              return [lines.length, Math.max(...ys), Math.min(...ys), Math.max(...[...perColumn.values()].map(c => c.length))];
            }
            """);
    assertThat(result).isEqualTo(List.of(1, 99, -99, 2));
  }

  @Test
  void gapsStayGapsAndASlowMetricOnAFineGridHasNone() {
    Object result =
        evaluate(
            """
            async () => {
              const { runs, spacing } = await import("/app/chart/decimate.js");
              const count = values => {
                const times = values.map((_, i) => i * 20_000);
                return runs(times, Float64Array.from(times, t => t / 1000), values, v => v, 2.5 * Math.max(spacing(times, values), 20_000)).length;
              };
              const whole = Array(100).fill(1);
              const hole = whole.map((v, i) => (i > 40 && i < 60 ? null : v));
              const slow = whole.map((v, i) => (i % 15 === 0 ? v : null));
              return [count(whole), count(hole), count(slow), count(Array(100).fill(null))];
            }
            """);
    assertThat(result).isEqualTo(List.of(1, 2, 1, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "3960, 1800, s, 66 min",
    "1980, 1800, s, 33 min",
    "340, 300, s, 5.7 min",
    "864000, 900, s, 10 d",
    "95.04, 95, %, 95.04 %",
    "94.96, 95, %, 94.96 %",
    "94.6, 95, %, 94.6 %",
    "95, 95, %, 95 %",
    "97.13, 95, %, 97.1 %",
    "1800.4, 1800, , 1800.4",
  })
  void aValueIsWrittenDistinctFromItsLimitInItsUnit(
      double value, double limit, String unit, String shown) {
    assertThat(
            run(
                "severity",
                "m.found({ value: a.value, bound: a.limit, text: null }, a.unit)",
                Map.of("value", value, "limit", limit, "unit", unit == null ? "" : unit)))
        .isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "naa.6000c141fbc2d5e80000000000000007, naa.6000…00000007",
    "scsi0:1, scsi0:1",
  })
  void aLongNameOfADeviceKeepsTheEndThatTellsItApart(String name, String shown) {
    assertThat(run("format", "m.shortened(a, 17)", name)).isEqualTo(shown);
  }

  @Test
  void howLongAnObjectMayBeSilentIsNoLineAmongItsValues() {
    Object limits =
        evaluate(
            """
            async () => {
              const { limitsOf } = await import("/app/pages/alerts/detail.js");
              const of = operator => limitsOf([{ operator, bound: 900, upper: null, severity: "critical" }]).map(l => l.value);
              return [of("gt"), of("no-data")];
            }
            """);
    assertThat(limits).isEqualTo(List.of(List.of(900), List.of()));
  }

  /**
   * What is older is rolled up to five minutes; it is a line all the same, and an outage beside it
   * stays one.
   */
  @Test
  void historyOfACoarserLevelIsJoinedToTheMinutesAfterIt() {
    Object result =
        evaluate(
            """
            async () => {
              const { runs } = await import("/app/chart/decimate.js");
              const { extentOf } = await import("/app/chart/crowd.js");
              const times = Array.from({ length: 300 }, (_, i) => i * 60_000);
              const xs = Float64Array.from(times, t => t / 60_000);
              const both = f => {
                const values = times.map((_, i) => f(i) ? 1 : null);
                const { low, high } = extentOf(times, xs, values, v => v, 150_000, 300);
                let stretches = 0;
                for (let c = 0; c < 300; c++) if (low[c] <= high[c] && !(c && low[c - 1] <= high[c - 1])) stretches++;
                return [runs(times, xs, values, v => v, 150_000).length, stretches];
              };
              const mixed = i => i >= 100 || i % 5 === 0;
              return [
                both(mixed),
                both(i => mixed(i) && i !== 50),
                both(i => mixed(i) && (i < 30 || i > 70)),
                both(i => mixed(i) && (i < 200 || i > 204)),
                both(i => mixed(i) && (i < 200 || i > 220)),
              ].flat();
            }
            """);
    assertThat(result).isEqualTo(List.of(1, 1, 1, 1, 2, 2, 2, 2, 2, 2));
  }

  /** Every sample lies within the extent of its column, and columns of a line touch. */
  @Test
  void aFilledLineKeepsEveryExtremeAndHasNoHoles() {
    Object result =
        evaluate(
            """
            async () => {
              const { extentOf } = await import("/app/chart/crowd.js");
              const check = (count, columns) => {
                const times = Array.from({ length: count }, (_, i) => i * 1000);
                const values = times.map((_, i) => (i * 7919 % 1000) / 10);
                const xs = Float64Array.from(times, (_, i) => (i + 0.5) / count * columns);
                const { low, high } = extentOf(times, xs, values, v => v, 2500, columns);
                let lost = 0, holes = 0;
                values.forEach((v, i) => { const c = Math.floor(xs[i]); if (low[c] > v + 1e-4 || high[c] < v - 1e-4) lost++; });
                const first = Math.floor(xs[0]), last = Math.floor(xs.at(-1));
                for (let c = first + 1; c <= last; c++) if (low[c] > high[c - 1] + 1e-3 || high[c] < low[c - 1] - 1e-3) holes++;
                return [lost, holes];
              };
              return [...check(20000, 300), ...check(2000, 900), ...check(40, 900)];
            }
            """);
    assertThat(result).isEqualTo(List.of(0, 0, 0, 0, 0, 0));
  }

  @Test
  void aFilledLineHasGapsWhereTheSamplesHaveAndLeavesOutWhatIsOutside() {
    Object result =
        evaluate(
            """
            async () => {
              const { extentOf } = await import("/app/chart/crowd.js");
              const times = Array.from({ length: 100 }, (_, i) => i * 1000);
              const values = times.map((_, i) => (i > 40 && i < 60 ? null : i));
              const columns = (shift, list) => {
                const { low, high } = extentOf(times, Float64Array.from(times, t => t / 100 + shift), list, v => v, 2500, 1000);
                return [...low].flatMap((v, c) => (v <= high[c] ? [c] : []));
              };
              const there = columns(0, values);
              const alone = columns(0, values.map((v, i) => (i === 7 ? v : null)));
              const outside = columns(-500, values);
              return [there.length, there.includes(400), there.includes(401), there.includes(599), there.includes(600), alone, outside[0], outside.at(-1), columns(2000, values).length];
            }
            """);
    assertThat(result).isEqualTo(List.of(792, true, false, false, true, List.of(70), 100, 490, 0));
  }

  /** Where lines cross they darken as strokes over each other do, and never beyond opaque. */
  @Test
  void coverageAddsUpOverLinesInAColumn() {
    Object result =
        evaluate(
            """
            async () => {
              const { cover } = await import("/app/chart/crowd.js");
              const line = (low, high) => ({ low: Float32Array.of(low), high: Float32Array.of(high) });
              const shades = (lines, alpha) => {
                const pixels = new Uint8ClampedArray(8 * 4);
                const rows = cover(pixels, lines, 1, 8, 1, alpha);
                return [...rows, ...pixels.filter((_, i) => i % 4 === 3)];
              };
              return [
                shades([line(2.5, 2.5)], 1),
                shades([line(3, 3)], 1),
                shades([line(2.5, 2.5), line(2.5, 2.5)], 0.5),
                shades([line(-50, 50), line(Infinity, -Infinity)], 1),
              ];
            }
            """);
    assertThat(result)
        .isEqualTo(
            List.of(
                List.of(2, 4, 0, 0, 255, 0, 0, 0, 0, 0),
                List.of(2, 4, 0, 0, 128, 128, 0, 0, 0, 0),
                List.of(2, 4, 0, 0, 191, 0, 0, 0, 0, 0),
                List.of(0, 8, 255, 255, 255, 255, 255, 255, 255, 255)));
  }

  /**
   * Fifty series of two thousand points are drawn well within a frame of 60 Hz on a machine that
   * does nothing else, pixels included: reading one back makes the browser finish them. The bound
   * is wider, since builds share machines; the figures are printed.
   */
  @ParameterizedTest
  @CsvSource({"960, 400, smooth", "960, 400, noise", "1400, 600, smooth", "1400, 600, noise"})
  void aFullChartIsDrawnInAFewMilliseconds(int width, int height, String shape) {
    List<?> millis =
        (List<?>)
            page.evaluate(
                CHART
                    + """
                      const took = [];
                      for (let i = 0; i < 31; i++) {
                        await new Promise(requestAnimationFrame);
                        const began = performance.now();
                        chart.spec = { ...spec };
                        for (const canvas of chart.querySelectorAll("canvas")) canvas.getContext("2d").getImageData(0, 0, 1, 1);
                        took.push(performance.now() - began);
                      }
                      box.remove();
                      took.sort((a, b) => a - b);
                      return [took[0], took[15]].map(n => Math.round(n * 10) / 10 + 0.01);
                    }
                    """,
                Map.of("width", width, "height", height, "shape", shape));
    double least = ((Number) millis.get(0)).doubleValue();
    double median = ((Number) millis.get(1)).doubleValue();
    System.out.printf(
        "Chart of 50 series x 2,000 points, %s, %d x %d: median %.1f ms, least %.1f ms%n",
        shape, width, height, median, least);
    assertThat(median).isPositive().isLessThan(50);
  }

  @Test
  void theCursorMovesWithoutDrawingTheLinesAgain() {
    Object result =
        page.evaluate(
            CHART
                + """
                  chart.spec = spec;
                  await new Promise(requestAnimationFrame);
                  await new Promise(requestAnimationFrame);
                  const over = chart.querySelectorAll("canvas")[1];
                  const inked = () => over.getContext("2d").getImageData(0, 0, over.width, over.height).data.some(b => b);
                  const before = chart.draws;
                  const plot = chart.querySelector(".plot");
                  let seen = 0;
                  for (let x = 100; x < 900; x += 20) {
                    plot.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: 200 }));
                    await new Promise(requestAnimationFrame);
                    await new Promise(requestAnimationFrame);
                    if (inked()) seen++;
                  }
                  plot.dispatchEvent(new PointerEvent("pointerleave"));
                  box.remove();
                  return [before, chart.draws - before, seen];
                }
                """,
            Map.of("width", 960, "height", 400, "shape", "noise"));
    assertThat(result).isEqualTo(List.of(1, 0, 40));
  }

  /** Opens a function that has a chart in the page and a spec of 50 lines for it. */
  private static final String CHART =
      """
      async ({ width, height, shape }) => {
        await import("/app/chart/series-chart.js");
        const box = document.createElement("section");
        box.style.cssText = `position:fixed;top:0;left:0;width:${width}px;height:${height}px`;
        const chart = document.createElement("series-chart");
        box.append(chart);
        document.body.append(box);
        const times = Array.from({ length: 2000 }, (_, i) => 1.79e12 + i * 20_000);
        const value = shape === "noise"
          ? (k, i) => 20 + k + ((i * 7919 + k * 104729) * 16807 % 1000) / 1000 * 30
          : (k, i) => 50 + k / 2 + 20 * Math.sin(i / 120 + k);
        const series = Array.from({ length: 50 }, (_, k) => ({ name: `s${k}`, values: times.map((_, i) => value(k, i)), style: k ? "peer" : "main" }));
        const spec = { title: "CPU usage", unit: "%", from: times[0], to: times.at(-1), times, stepMillis: 20_000, series };
      """;

  @Test
  void filtersBecomeQueriesAndUnknownWordsAreReported() {
    assertThat(
            evaluate(
                """
                async () => {
                  const { parseFilter, complete } = await import("/app/core/filter.js");
                  return [parseFilter('kind:VirtualMachine tag:"team=a b" silent web 07'), parseFilter("kind: is:open property:x parent:me").unknown, complete("kind:Virt", "kind:VirtualMachine")];
                }
                """))
        .isEqualTo(
            List.of(
                Map.of(
                    "query",
                    Map.of(
                        "objectKind",
                        List.of("VirtualMachine"),
                        "tag",
                        List.of("team=a b"),
                        "silent",
                        true,
                        "q",
                        "web 07"),
                    "unknown",
                    List.of()),
                List.of("kind:", "is:open", "property:x", "parent:me"),
                "kind:VirtualMachine "));
  }

  @Test
  void theOffendingBytesAreMarkedAfterLettersOfSeveralBytes() {
    assertThat(
            evaluate(
                """
                async () => {
                  const { marked } = await import("/app/pages/ingest/letters.js");
                  return marked({ payload: "m\u00fcll,a=b x=7q,y=1", position: 12, encoding: "text" });
                }
                """))
        .isEqualTo(List.of("m\u00fcll,a=b x=", "7q", ",y=1"));
  }

  @Test
  void theStateOfAnAlertNamesTheSilenceThatCoversIt() {
    assertThat(
            evaluate(
                """
                async () => {
                  const { parseFilter, stateWords } = await import("/app/pages/alerts/words.js");
                  const { moment } = await import("/app/core/time.js");
                  const until = "2026-11-21T12:00:00Z";
                  const plain = { state: "active", controlState: "open", number: 1 };
                  const silenced = { ...plain, controlState: "acknowledged", acknowledgedBy: "ada", acknowledgedAt: null, silence: { id: "x", until, by: "m.okafor", comment: "disk swap" } };
                  const found = parseFilter("is:silenced").matches;
                  return [stateWords(plain), stateWords(silenced).replace(moment(Date.parse(until)), "THEN"), found(plain), found(silenced)];
                }
                """))
        .isEqualTo(
            List.of(
                "",
                "acknowledged by ada; silenced until THEN by m.okafor: disk swap",
                false,
                true));
  }

  @Test
  void theStateOfFlowsIsShownOnceThereAreAny() {
    assertThat(
            evaluate(
                """
                async () => {
                  const { ingest } = await import("/app/pages/ingest/status.js");
                  const { html, render } = await import("/app/core/html.js");
                  const { flowFigures, hasFlows, observers } = await import("/app/pages/ingest/flows.js");
                  const before = ingest.data;
                  const flows = {
                    partitions: [], observersTotal: 0, observers: [], nodes: [], rejected: [], rejectedLastHour: 0, rejectedTotal: 7,
                    deadLetters: 0, duplicateShare: null, foldedShare: null, rolledUntil: null, lateRowsLastHour: 0,
                    addressObjects: 0, maxAddressObjects: 50000, beyondGuard: 0,
                  };
                  const at = "2026-11-21T12:00:00Z";
                  try {
                    ingest.data = { time: at, flows };
                    const none = hasFlows();
                    Object.assign(flows, {
                      observersTotal: 2, duplicateShare: 0.4666, foldedShare: 0.02, rejectedLastHour: 3, beyondGuard: 5,
                      rejected: [{ reason: "address", lastHour: 3 }, { reason: "future", lastHour: 0 }],
                      observers: [
                        { exporter: "10.9.0.1", domain: 7, version: "ipfix", firstSeen: at, lastSeen: at, samplingRate: 100, startedAt: null },
                        { exporter: "10.9.0.2", domain: 0, version: "sflow-5", firstSeen: at, lastSeen: "2026-11-21T11:50:00Z", samplingRate: null, startedAt: at },
                      ],
                    });
                    const place = document.createElement("div");
                    render(html`${flowFigures()}${observers()}`, place);
                    const rows = [...place.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent.trim().replace(/\\s+/g, " ")).join(" | "));
                    return [none, hasFlows(), ...rows];
                  } finally {
                    ingest.data = before;
                  }
                }
                """))
        .isEqualTo(
            List.of(
                false,
                true,
                "Reported by several exporters counted once | 46.7 %",
                "Folded into \u201cother\u201d the small ones of senders | 2 %",
                "Late data roll-ups recomputed | 0",
                "Rolled up until | -",
                "Rejected address 3 | 3",
                "Dead letters | 0",
                "Addresses without object 5 beyond the guard | 0",
                "10.9.0.1 | IPFIX | 7 | 100 | now",
                "10.9.0.2 | sFlow 5 | 0 | each | 10 min"));
  }

  @Test
  void theStateOfEventsIsShownOnceThereIsATopic() {
    assertThat(
            evaluate(
                """
                async () => {
                  const { ingest } = await import("/app/pages/ingest/status.js");
                  const { html, render } = await import("/app/core/html.js");
                  const { eventsPane, hasEvents } = await import("/app/pages/ingest/events.js");
                  const { moment } = await import("/app/core/time.js");
                  const before = ingest.data;
                  const events = { topic: "peerlens.events", lag: null, waiting: 0, oldestWaiting: null, deadLetters: 0 };
                  const oldest = "2026-11-21T11:50:00Z";
                  try {
                    ingest.data = { events };
                    const none = hasEvents();
                    Object.assign(events, { lag: 3, waiting: 2, oldestWaiting: oldest });
                    const place = document.createElement("div");
                    render(html`${eventsPane()}`, place);
                    const rows = [...place.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent.trim().replace(/\\s+/g, " ").replace(moment(Date.parse(oldest)), "THEN")).join(" | "));
                    return [none, hasEvents(), ...rows];
                  } finally {
                    ingest.data = before;
                  }
                }
                """))
        .isEqualTo(
            List.of(
                false,
                true,
                "In Kafka | 3 records wait",
                "Waiting for their object the oldest since THEN | 2",
                "Dead letters | 0"));
  }

  @Test
  void exportedCellsAreNeverFormulas() {
    assertThat(
            (String)
                evaluate(
                    """
                    async () => (await import("/app/pages/explorer/export.js")).csv([
                      { id: "1", adapterKind: "A", objectKind: "K", name: "=cmd|'/c'!A1", state: "silent", firstSeen: "", lastSeen: "", tags: { note: 'say "hi", you' } }])
                    """))
        .contains(",'=cmd|'/c'!A1,")
        .contains("\"say \"\"hi\"\", you\"");
  }

  /** Whatever is typed, the coloured copy holds every character of it, in order. */
  @Test
  void everyTextIsCutIntoTokensThatCoverIt() {
    Object broken =
        evaluate(
            """
            async () => {
              const { read } = await import("/app/formula/tokens.js");
              const parts = ["${", "}", "this", ",", " ", "adaptertype=", "VMWARE", "metric", "=", "cpu|usage", "where=", '"', "'", "(", ")", "sum(", "[", "]", "1.5e3", "$value", "as x", "||", "\\n", "identifiers={", "depth=-1", "\u00e9\ud83d\ude00", "\u201c", "!equals"];
              let seed = 7;
              const next = n => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
              const broken = [];
              for (let i = 0; i < 4000; i++) {
                const text = Array.from({ length: next(24) }, () => parts[next(parts.length)]).join("");
                const { tokens } = read(text);
                const joined = tokens.map(t => text.slice(t.start, t.end)).join("");
                if (joined !== text || tokens.some((t, n) => t.start !== (n ? tokens[n - 1].end : 0))) broken.push(text);
              }
              return broken;
            }
            """);
    assertThat(broken).isEqualTo(List.of());
  }

  /**
   * The caret is the sign {@code \u00a6}; what is expected is the kind, and what is typed of it.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "av\u00a6; expression; av",
        "1 + \u00a6; expression; ``",
        "12\u00a6; null; ``",
        "sum(${\u00a6; clause; ``",
        "sum(${th\u00a6}); clause; th",
        "${this, me\u00a6}; clause; me",
        "${this, metric=cpu|us\u00a6}; key; cpu|us",
        "${this, metric=cpu|us\u00a6, depth=1}; key; cpu|us",
        "sum(${adaptertype=VM\u00a6) + 1; adapter; VM",
        "sum(${adapterkind=VMWARE, resourcekind=Ho\u00a6}); object-kind; Ho",
        "${adaptertype=A, objecttype=B, metric=c, depth=\u00a6}; depth; ``",
        "${adaptertype=A, objecttype=B, metric=c, depth=1, wh\u00a6}; clause; wh",
        "${adaptertype=A, objecttype=B, objectname=esx\u00a6}; object; esx",
        "${adaptertype=A, objecttype=B, metric=c, where=\"run\u00a6\"}; where-key; run",
        "${adaptertype=A, objecttype=B, metric=c, where=\"a|b eq\u00a6\"}; where-operator; eq",
        "${adaptertype=A, objecttype=B, metric=c, where=\"a|b equals not\u00a6\"}; where-value; not",
        "${adaptertype=A, objecttype=B, metric=c, where=($va\u00a6)}; where-key; $va",
        "${adaptertype=A, objecttype=B, metric=c, where=(${metric=a|b} equals 'po\u00a6')}; where-value; po",
      })
  void theCaretSaysWhatCouldBeWrittenThere(String marked, String kind, String typed) {
    Object found =
        page.evaluate(
            """
            async marked => {
              const { contextAt } = await import("/app/formula/context.js");
              const c = contextAt(marked.replace("\u00a6", ""), marked.indexOf("\u00a6"));
              return [String(c?.kind ?? null), c?.typed ?? ""];
            }
            """,
            marked);
    assertThat(found).isEqualTo(List.of(kind, typed == null ? "" : typed));
  }

  @Test
  void bracketsAreMatchedAcrossLinesAndNotInsideTexts() {
    assertThat(
            evaluate(
                """
                async () => {
                  await import("/app/editor/code-editor.js");
                  const { read } = await import("/app/formula/tokens.js");
                  const editor = document.createElement("code-editor");
                  editor.language = read;
                  document.body.append(editor);
                  const at = (text, caret) => {
                    editor.value = text;
                    editor.goTo(caret);
                    return [...editor.shadowRoot.querySelectorAll(".cm-matchingBracket, .cm-nonmatchingBracket")].map((m) => editor.view.posAtDOM(m));
                  };
                  return [at("(1\\n+ [2])", 0), at("(1 + [2])", 9), at("(1", 0), at("${this, metric=a(b}", 1), at('${adaptertype=A, objecttype=B, metric=c, where="x ("}', 50), at("1 + 2", 3)];
                }
                """))
        .isEqualTo(
            List.of(
                List.of(0, 8), List.of(0, 8), List.of(0), List.of(1, 18), List.of(), List.of()));
  }

  @Test
  void theTreeOfAnExplanationIsShownInWords() {
    assertThat(
            evaluate(
                """
                async () => {
                  const { flatten } = await import("/app/pages/super-metrics/explain.js");
                  const formula = "100 - avg(${adaptertype=V, objecttype=H, metric=cpu|u, depth=1})";
                  const entry = { at: { start: 10, end: 63 }, text: formula.slice(10, 63), value: null, reason: null, children: [], matched: { key: "cpu|u", items: [] } };
                  const call = { at: { start: 6, end: 64 }, text: formula.slice(6), value: 30, reason: null, children: [entry] };
                  const tree = { at: { start: 0, end: 64 }, text: formula, value: 70, reason: null, children: [{ at: { start: 0, end: 3 }, text: "100", value: 100, reason: null, children: [] }, call] };
                  return flatten(tree, formula).map(r => [r.depth, r.label.text ?? `${r.label.call} of ${r.label.key}`]);
                }
                """))
        .isEqualTo(List.of(List.of(0, "100 - \u2026"), List.of(1, "avg of cpu|u")));
  }

  @Test
  void theTimeOfASampleIsShownWithItsAge() {
    assertThat(
            evaluate(
                """
                async () => {
                  const { sampled } = await import("/app/pages/super-metrics/explain.js");
                  const at = new Date(2026, 10, 21, 14, 4, 0).getTime();
                  const told = (time) => sampled({ sampleTime: time }, at);
                  return [told(at - 40000), told(at - 3600000), told(at - 3 * 86400000).replace(/ 2026/, ""), told(null)];
                }
                """))
        .isEqualTo(
            List.of("14:03:20, 40 s old", "13:04:00, 60 min old", "18 Nov 14:04:00, 3 d old", ""));
  }

  @Test
  void filtersOfSuperMetricsBecomeParameters() {
    assertThat(
            evaluate(
                """
                async () => {
                  const { parseFilter, toggled } = await import("/app/pages/super-metrics/words.js");
                  return [parseFilter("kind:VirtualMachine state:invalid pack:vm-basics cpu ready"), parseFilter("state:fine tag:").unknown, toggled("a state:invalid", "state", "invalid"), toggled("a", "tag", "two words")];
                }
                """))
        .isEqualTo(
            List.of(
                Map.of(
                    "query",
                    Map.of(
                        "objectKind",
                        List.of("VirtualMachine"),
                        "state",
                        List.of("invalid"),
                        "pack",
                        List.of("vm-basics"),
                        "q",
                        "cpu ready"),
                    "unknown",
                    List.of()),
                List.of("state:fine", "tag:"),
                "a",
                "a tag:\"two words\""));
  }

  /** Drawn with 10 px in one colour, every two of the state shapes differ in many pixels. */
  /** The same cases as those of the service, in Berlin. */
  @ParameterizedTest
  @CsvSource({
    "sat, 22:00, 4h, 2026-11-20T12:00:00Z, 2026-11-21T21:00:00Z, 2026-11-22T01:00:00Z",
    "sat, 22:00, 4h, 2026-11-22T00:59:00Z, 2026-11-21T21:00:00Z, 2026-11-22T01:00:00Z",
    "sat, 22:00, 4h, 2026-11-22T01:00:00Z, 2026-11-28T21:00:00Z, 2026-11-29T01:00:00Z",
    "mon tue wed thu fri sat sun, 22:00, 2h, 2026-03-28T12:00:00Z, 2026-03-28T21:00:00Z, 2026-03-28T23:00:00Z",
    "mon tue wed thu fri sat sun, 22:00, 2h, 2026-03-29T12:00:00Z, 2026-03-29T20:00:00Z, 2026-03-29T22:00:00Z",
    "sun, 02:30, 1h, 2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z, 2026-03-29T02:00:00Z",
    "sun, 02:30, 2h, 2026-10-24T12:00:00Z, 2026-10-25T00:30:00Z, 2026-10-25T02:30:00Z",
    "mon, 00:00, 7d, 2026-11-22T22:59:00Z, 2026-11-15T23:00:00Z, 2026-11-22T23:00:00Z",
  })
  void aTypedMaintenanceWindowStartsWhenTheServiceStartsIt(
      String days, String start, String duration, String now, String from, String to) {
    Object found =
        page.evaluate(
            """
            async a => {
              const { occurrence } = await import("/app/pages/settings/maintenance-next.js");
              const recurring = { days: a.days.split(" "), start: a.start, duration: a.duration, zone: "Europe/Berlin" };
              const { next } = occurrence({ enabled: true, recurring }, Date.parse(a.now));
              return [Date.parse(next.from), Date.parse(next.to)].map(ms => new Date(ms).toISOString().replace(".000", ""));
            }
            """,
            Map.of("days", days, "start", start, "duration", duration, "now", now));
    assertThat(found).isEqualTo(List.of(from, to));
  }

  @Test
  void aMaintenanceWindowEndsWithItsLastDayAndNonsenseHasNoNextTime() {
    Object found =
        evaluate(
            """
            async () => {
              const { occurrence } = await import("/app/pages/settings/maintenance-next.js");
              const every = { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], start: "08:00", duration: "1h", zone: "UTC", from: "2026-12-24", until: "2026-12-25" };
              const at = (now, more = {}) => occurrence({ enabled: true, recurring: { ...every, ...more } }, Date.parse(now));
              return [
                at("2026-11-20T12:00:00Z").next.from, at("2026-12-24T09:00:00Z").next.from, at("2026-12-25T09:00:00Z").next === null,
                at("2026-12-24T08:30:00Z").activeNow, at("2026-11-20T12:00:00Z", { zone: "Nowhere/Else" }), at("2026-11-20T12:00:00Z", { days: [] }),
                occurrence({ enabled: true, oneOff: { from: "2026-11-20T12:00:00Z", to: "2026-11-20T13:00:00Z" } }, Date.parse("2026-11-20T13:00:00Z")).next === null,
              ];
            }
            """);
    assertThat(found)
        .isEqualTo(
            Arrays.asList(
                "2026-12-24T08:00:00.000Z",
                "2026-12-25T08:00:00.000Z",
                true,
                true,
                null,
                null,
                true));
  }

  @Test
  void stateShapesAreDistinctWithoutColour() {
    Object closest =
        evaluate(
            """
            async () => {
              const { SHAPES } = await import("/app/parts/shapes.js");
              const drawn = Object.entries(SHAPES).map(([name, s]) => {
                const canvas = Object.assign(document.createElement("canvas"), { width: 10, height: 10 });
                const c = canvas.getContext("2d");
                c.scale(10 / 12, 10 / 12);
                c.lineWidth = 1.7;
                if (s.dash) c.setLineDash(s.dash.split(" ").map(Number));
                s.fill ? c.fill(new Path2D(s.path)) : c.stroke(new Path2D(s.path));
                if (s.bar) { c.globalCompositeOperation = "destination-out"; c.stroke(new Path2D("M6 2.8V7M6 8.2V9.5")); }
                return [name, c.getImageData(0, 0, 10, 10).data.filter((_, i) => i % 4 === 3)];
              });
              let least = Infinity;
              for (const [a, x] of drawn) for (const [b, y] of drawn) if (a < b) least = Math.min(least, x.filter((v, i) => Math.abs(v - y[i]) > 90).length);
              return least;
            }
            """);
    assertThat(((Number) closest).intValue()).isGreaterThanOrEqualTo(10);
  }

  private Object run(String module, String expression, Object argument) {
    return page.evaluate(
        "async a => { const m = await import('/app/core/%s.js'); return %s; }"
            .formatted(module, expression.strip()),
        argument);
  }

  private Object evaluate(String function) {
    return page.evaluate(function);
  }
}
