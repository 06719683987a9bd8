package io.peerlens.vcenter.vim;

import static io.peerlens.vcenter.vim.VimTransport.nextChild;
import static io.peerlens.vcenter.vim.VimTransport.skip;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reader of {@code PerfEntityMetricCSV}, the most compact form in which vCenter tells performance.
 */
final class PerfBlockReader {

  private static final long[] NOTHING = {};

  private PerfBlockReader() {}

  /**
   * Reads the block that the reader stands at the start of.
   *
   * @return null when it names no entity
   */
  static @Nullable PerfBlock read(XMLStreamReader xml) throws XMLStreamException {
    Moref entity = null;
    long[] times = NOTHING;
    List<PerfBlock.Series> series = new ArrayList<>();
    while (nextChild(xml)) {
      switch (xml.getLocalName()) {
        case "entity" ->
            entity = new Moref(xml.getAttributeValue(null, "type"), xml.getElementText());
        case "sampleInfoCSV" -> times = times(xml.getElementText());
        case "value" -> series.add(series(xml));
        default -> skip(xml);
      }
    }
    return entity == null ? null : new PerfBlock(entity, times, series);
  }

  private static PerfBlock.Series series(XMLStreamReader xml) throws XMLStreamException {
    int counter = 0;
    String instance = "";
    long[] values = NOTHING;
    while (nextChild(xml)) {
      switch (xml.getLocalName()) {
        case "id" -> {
          while (nextChild(xml)) {
            switch (xml.getLocalName()) {
              case "counterId" -> counter = (int) number(xml.getElementText());
              case "instance" -> instance = xml.getElementText();
              default -> skip(xml);
            }
          }
        }
        case "value" -> values = numbers(xml.getElementText());
        default -> skip(xml);
      }
    }
    return new PerfBlock.Series(counter, instance, values);
  }

  /** {@code 20,2026-11-25T10:00:20Z,20,2026-11-25T10:00:40Z}: intervals and times by turns. */
  private static long[] times(String text) {
    if (text.isBlank()) {
      return NOTHING;
    }
    String[] parts = text.split(",", -1);
    long[] times = new long[parts.length / 2];
    for (int i = 0; i < times.length; i++) {
      try {
        times[i] = OffsetDateTime.parse(parts[2 * i + 1].trim()).toInstant().toEpochMilli();
      } catch (DateTimeException e) {
        times[i] = Long.MIN_VALUE;
      }
    }
    return times;
  }

  /** Numbers with commas between; what is none is -1, as vCenter writes what it does not have. */
  private static long[] numbers(String text) {
    if (text.isBlank()) {
      return NOTHING;
    }
    int count = 1;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == ',') {
        count++;
      }
    }
    long[] values = new long[count];
    int from = 0;
    for (int i = 0; i < count; i++) {
      int comma = text.indexOf(',', from);
      int to = comma < 0 ? text.length() : comma;
      values[i] = number(text, from, to);
      from = to + 1;
    }
    return values;
  }

  private static long number(String text) {
    return number(text, 0, text.length());
  }

  private static long number(String text, int from, int to) {
    try {
      return Long.parseLong(text, from, to, 10);
    } catch (NumberFormatException e) {
      try {
        return Long.parseLong(text.substring(from, to).trim());
      } catch (NumberFormatException again) {
        return -1;
      }
    }
  }
}
