package io.peerlens.alert;

import static io.peerlens.alert.AlertWorld.HEALTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.EventStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AlertEventsIT {

  private static EventStream listen(AlertWorld world, @Nullable String lastEventId) {
    return new EventStream(world.url(), world.token(), lastEventId);
  }

  @Test
  void listenersGetEveryChangeResumeAndAreForgottenWhenTheyLeave() {
    try (AlertWorld world = AlertWorld.scheduled("peerlens.alerts.event-poll=200ms")) {
      AlertEvents events = world.server().context().getBean(AlertEvents.class);
      assertThat(events.isPolling()).isFalse();
      world.object("HostSystem", "esx-07 ü", "");
      world.threshold("Host CPU is high", "HostSystem", HEALTH);
      String last;
      String id;
      try (EventStream listener = listen(world, null)) {
        assertThat(listener.response().statusCode()).isEqualTo(200);
        assertThat(listener.response().headers().firstValue("Content-Type").orElse(""))
            .startsWith("text/event-stream");
        world.soon(() -> assertThat(listener.comments()).isNotEmpty());
        assertThat(events.isPolling()).isTrue();
        world.cpu("esx-07 ü", 85);
        world.soon(() -> assertThat(listener.messages()).hasSize(1));
        assertThat(listener.names()).containsExactly("alert");
        assertThat(listener.messages().getFirst().data())
            .contains("\"severity\":\"warning\"", "esx-07 ü");
        last = listener.ids().getFirst();
        id = world.one("").get("id").asString();
      }
      world.act(id, "acknowledge", "");
      world.act(id, "note", ", \"note\": \"seen\"");
      try (EventStream resumed = listen(world, last)) {
        // Changes may come one by one, as a transaction of anybody else holds back what came after
        // it.
        world.soon(() -> assertThat(resumed.messages()).isNotEmpty());
        assertThat(resumed.messages().getFirst().data())
            .contains("\"controlState\":\"acknowledged\"");
        world.act(id, "take", "");
        world.soon(
            () -> assertThat(resumed.messages().getLast().data()).contains("\"owner\":\"admin\""));
        assertThat(resumed.ids()).doesNotContain(last).doesNotHaveDuplicates();
      }
      try (EventStream lost = listen(world, "1-1")) {
        world.soon(() -> assertThat(lost.names()).containsExactly("reset"));
      }
      // A client that has gone shows when it is written to.
      world.soon(
          () -> {
            world.act(id, "note", ", \"note\": \"anybody there?\"");
            assertThat(events.listeners()).isZero();
            assertThat(events.isPolling()).isFalse();
          });
      try (EventStream refused = new EventStream(world.url(), null, null)) {
        assertThat(refused.response().statusCode()).isEqualTo(401);
      }
    }
  }
}
