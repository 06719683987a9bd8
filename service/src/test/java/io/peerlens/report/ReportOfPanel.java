package io.peerlens.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import tools.jackson.databind.JsonNode;

/**
 * A report of one panel that has run.
 *
 * @param answer what the run keeps of the panel
 * @param pdf text of its PDF
 */
public record ReportOfPanel(JsonNode answer, String pdf, String csv) {

  private static final Pattern NUMBER =
      Pattern.compile("\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?");

  /**
   * Makes a dashboard and a report and runs it.
   *
   * @param object value of the variable {@code of}
   */
  public static ReportOfPanel run(
      ApiClient api, String name, String panel, String object, Instant from, Instant to) {
    String dashboard =
        made(
            api,
            "/dashboards",
            """
            {"visibility": "shared", "definition": {"name": "%s", "variables": [{"name": "of", "type": "object", "kind": ["VMWARE/HostSystem", "VMWARE/VirtualMachine"]}],
              "panels": {"it": %s}, "layout": [{"items": [{"panel": "it", "x": 1, "y": 1, "w": 12, "h": 4}]}]}}
            """
                .formatted(name, panel));
    String report =
        made(
            api,
            "/reports",
            """
            {"name": "%s", "dashboard": "%s", "variables": {"of": "%s"}, "time": {"from": "%s", "to": "%s"}}
            """
                .formatted(name, dashboard, object, from, to));
    Answer ran = api.post("/reports/" + report + "/run", "{}");
    assertThat(ran.status()).as(ran.body()).isEqualTo(200);
    String run = "/reports/" + report + "/runs/" + ran.json().path("id").stringValue();
    JsonNode part = api.get(run).json().path("content").get(0).path("panels").get(0);
    assertThat(part.path("answer").isObject()).as(part.toString()).isTrue();
    assertThat(api.get(run + "/png?panel=it").status()).isEqualTo(200);
    return new ReportOfPanel(
        part.path("answer"),
        text(api.get(run + "/pdf").response().body()),
        new String(api.get(run + "/csv?panel=it").response().body(), StandardCharsets.UTF_8));
  }

  private static String made(ApiClient api, String path, String body) {
    Answer made = api.post(path, body);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().path("id").stringValue();
  }

  static String text(byte[] pdf) {
    try (PDDocument document = Loader.loadPDF(pdf)) {
      return new PDFTextStripper().getText(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A number as reports write it: four digits, or all before the point. */
  public static String shown(double value) {
    BigDecimal exact = BigDecimal.valueOf(value);
    int whole = exact.precision() - exact.scale();
    BigDecimal rounded =
        exact.round(new MathContext(Math.max(4, whole), RoundingMode.HALF_UP)).stripTrailingZeros();
    return rounded.signum() == 0
        ? "0"
        : String.format(Locale.ROOT, "%,." + Math.max(0, rounded.scale()) + "f", rounded);
  }

  /**
   * Fails for a number in the PDF that is not in the answer: as number, as moment, or within a
   * text.
   *
   * @param more others that may be there, such as those of an axis
   */
  public void hasNoOtherNumbers(Set<String> more) {
    Set<String> known = new HashSet<>(more);
    collect(answer, known);
    String body =
        pdf.lines()
            .skip(1) // the title
            .filter(line -> !line.contains("Page "))
            .collect(java.util.stream.Collectors.joining("\n"));
    NUMBER
        .matcher(body)
        .results()
        .map(java.util.regex.MatchResult::group)
        .forEach(number -> assertThat(known).as(pdf).contains(number));
  }

  private static void collect(JsonNode node, Set<String> known) {
    if (node.isNumber()) {
      double value = node.doubleValue();
      known.add(shown(value));
      known.add(shown(Math.abs(value)));
      known.add(oneDecimal(value));
      known.add(oneDecimal(value * 100));
      if (value > 1e12) {
        moment(Instant.ofEpochMilli((long) value), known);
      }
    } else if (node.isString()) {
      String text = node.stringValue();
      numbers(text, known);
      if (text.matches("\\d{4}-\\d\\d-\\d\\dT.*Z")) {
        moment(Instant.parse(text), known);
      }
    } else {
      node.forEach(child -> collect(child, known));
    }
  }

  private static String oneDecimal(double value) {
    return String.format(
        Locale.ROOT, "%,.1f", BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP));
  }

  private static void moment(Instant at, Set<String> known) {
    numbers(
        DateTimeFormatter.ofPattern("d MMM uuuu HH:mm", Locale.ENGLISH)
            .format(at.atOffset(ZoneOffset.UTC)),
        known);
  }

  private static void numbers(String text, Set<String> known) {
    NUMBER.matcher(text).results().forEach(found -> known.add(found.group()));
  }
}
