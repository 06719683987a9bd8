package io.peerlens.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.ReportPart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Data of runs as they are kept: JSON, compressed. */
final class RunData {

  /** Members that a later version has dropped are passed over. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private RunData() {}

  /**
   * Kept parts.
   *
   * @param bytes compressed
   * @param size in bytes before that
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Packed(byte[] bytes, long size) {}

  /** Size of an answer in bytes. */
  static long size(PanelAnswer answer) {
    return JSON.writeValueAsBytes(answer).length;
  }

  static Packed pack(List<ReportPart> parts) {
    byte[] json = JSON.writeValueAsBytes(parts);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Packed(out.toByteArray(), json.length);
  }

  static List<ReportPart> unpack(byte[] bytes) {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return List.of(JSON.readValue(gzip.readAllBytes(), ReportPart[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A part as JSON, for receivers. */
  static String json(Object part) {
    return JSON.writeValueAsString(part);
  }
}
