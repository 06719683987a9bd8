package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.suiteapi.Routes.Found;
import io.peerlens.suiteapi.Routes.Right;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RoutesTest {

  private final Routes routes =
      new Routes()
          .get("/api/alerts/{id}", call -> Answer.empty(1))
          .get("/api/alerts/contributingsymptoms", call -> Answer.empty(2))
          .ask("/api/alerts/query", call -> Answer.empty(3))
          .delete("/api/resources/{id}/relationships/{type}/{related}", call -> Answer.empty(4))
          .push("/api/resources/{id}/stats", call -> Answer.empty(5));

  private Found found(String method, String... parts) {
    return Objects.requireNonNull(routes.find(method, List.of(parts)));
  }

  @Test
  void fixedPartsComeBeforeVariables() {
    assertThat(found("GET", "api", "alerts", "contributingsymptoms").variables()).isEmpty();
    assertThat(found("GET", "api", "alerts", "query").variables()).isEqualTo(Map.of("id", "query"));
    assertThat(found("DELETE", "api", "resources", "a", "relationships", "CHILD", "b").variables())
        .isEqualTo(Map.of("id", "a", "type", "CHILD", "related", "b"));
  }

  @Test
  void headIsAsGetAndAnotherMethodIsNone() {
    assertThat(found("HEAD", "api", "alerts", "7").route().method()).isEqualTo("GET");
    assertThat(routes.find("PATCH", List.of("api", "alerts", "7"))).isNull();
    assertThat(routes.methods(List.of("api", "alerts", "query"))).containsExactly("GET", "POST");
    assertThat(routes.methods(List.of("api", "unknown"))).isEmpty();
  }

  @Test
  void readersAskAndOthersChange() {
    assertThat(found("POST", "api", "alerts", "query").route().right()).isEqualTo(Right.READ);
    assertThat(found("POST", "api", "resources", "a", "stats").route().right())
        .isEqualTo(Right.PUSH);
    assertThat(
            found("DELETE", "api", "resources", "a", "relationships", "CHILD", "b").route().right())
        .isEqualTo(Right.OPERATE);
  }
}
