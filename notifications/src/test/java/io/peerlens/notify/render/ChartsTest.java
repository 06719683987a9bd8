package io.peerlens.notify.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alerttemplates.Message;
import io.peerlens.notify.render.AlertCharts.Described;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChartsTest {

  private static final UUID ALERT = UUID.randomUUID();
  private static final Message.Mail MAIL =
      new Message.Mail("s", "t", "<img src=\"cid:chart\">", List.of(), true);
  private static final Described CHART =
      new Described(
          new Chart(
              "web-17: cpu|usage",
              "%",
              new long[] {0, 60, 120},
              new double[] {1, 2, 3},
              null,
              null,
              null,
              List.of(),
              null,
              ZoneOffset.UTC),
          "Chart of cpu|usage.");

  private static Message.Picture picture(Charts charts) {
    Message.Picture picture = ((Message.Mail) charts.complete(MAIL, ALERT)).picture();
    assertThat(picture).isNotNull();
    return picture;
  }

  @Test
  void aMailThatWantsAChartGetsItOnce() {
    AtomicInteger asked = new AtomicInteger();
    try (Charts charts =
        new Charts(
            alert -> {
              assertThat(alert).isEqualTo(ALERT);
              asked.incrementAndGet();
              return Optional.of(CHART);
            },
            Duration.ofSeconds(30),
            Duration.ZERO)) {
      Message drawn = charts.complete(MAIL, ALERT);
      assertThat(charts.complete(drawn, ALERT)).isSameAs(drawn);
      assertThat(charts.complete(Message.fromJson(drawn.toJson()), ALERT)).isEqualTo(drawn);
      Message.Picture picture = ((Message.Mail) drawn).picture();
      assertThat(picture.words()).isEqualTo("Chart of cpu|usage.");
      assertThat(Base64.getDecoder().decode(picture.png())).startsWith(0x89, 'P', 'N', 'G');
      Message without = new Message.Mail("s", "t", null, List.of(), false);
      assertThat(charts.complete(without, ALERT)).isSameAs(without);
      Message trap = new Message.Trap("1.3.6.1.4.1", List.of());
      assertThat(charts.complete(trap, ALERT)).isSameAs(trap);
      assertThat(asked).hasValue(1);
    }
  }

  @Test
  void onlyAFailureToDrawIsMentionedInTheMail() {
    try (Charts none = new Charts(alert -> Optional.empty(), Duration.ofSeconds(9), Duration.ZERO);
        Charts failing =
            new Charts(
                alert -> {
                  throw new IllegalStateException("a test");
                },
                Duration.ofSeconds(9),
                Duration.ZERO)) {
      assertThat(picture(none)).isEqualTo(new Message.Picture(null, ""));
      assertThat(picture(failing)).isEqualTo(Charts.FAILED);
    }
  }

  @Test
  void aSlowDatabaseCostsOneMailTheLimitAndTheNextOnesNothing() {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    try (Charts charts =
        new Charts(
            alert -> {
              asked.incrementAndGet();
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return Optional.of(CHART);
            },
            Duration.ofMillis(50),
            Duration.ofHours(1))) {
      for (int i = 0; i < 100; i++) {
        assertThat(picture(charts)).isEqualTo(Charts.LATE);
      }
      assertThat(asked).hasValue(1);
    } finally {
      end.countDown();
    }
  }
}
