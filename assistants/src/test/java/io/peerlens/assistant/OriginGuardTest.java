package io.peerlens.assistant;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.server.transport.ServerTransportSecurityException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OriginGuardTest {

  private final OriginGuard open = new OriginGuard(List.of(), () -> null);
  private final OriginGuard named =
      new OriginGuard(List.of("peerlens.example"), () -> "https://pages.example/x");

  private static boolean lets(OriginGuard guard, String host, @Nullable String origin) {
    Map<String, List<String>> headers = new TreeMap<>();
    headers.put("host", List.of(host));
    if (origin != null) {
      headers.put("origin", List.of(origin));
    }
    try {
      guard.validateHeaders(headers);
      return true;
    } catch (ServerTransportSecurityException e) {
      assertThat(e.getStatusCode()).isEqualTo(403);
      return false;
    }
  }

  @Test
  void programsMayAskAtAnyNameUnlessNamesAreSet() {
    assertThat(lets(open, "whatever.example:8080", null)).isTrue();
    assertThat(lets(named, "whatever.example:8080", null)).isFalse();
    assertThat(lets(named, "peerlens.example:8080", null)).isTrue();
    assertThat(lets(named, "[::1]:8080", null)).isTrue();
  }

  @Test
  void pagesMayAskWhereTheyComeFromOnly() {
    assertThat(lets(open, "localhost:8080", "http://localhost:8080")).isTrue();
    assertThat(lets(open, "localhost:8080", "http://localhost:9000")).isFalse();
    assertThat(lets(open, "localhost:8080", "http://evil.example")).isFalse();
    assertThat(lets(open, "localhost:8080", "null")).isFalse();
    assertThat(lets(named, "10.0.0.1:8080", "https://pages.example")).isTrue();
  }

  @Test
  void aNameOfElsewhereThatPointsHereIsRefused() {
    assertThat(lets(open, "evil.example:8080", "http://evil.example:8080")).isFalse();
  }
}
