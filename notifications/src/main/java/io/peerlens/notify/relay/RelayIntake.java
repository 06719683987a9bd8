package io.peerlens.notify.relay;

import io.peerlens.notify.relay.ForeignAlertStore.Report;
import io.peerlens.notify.relay.RelayBody.Read;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Intake of relayed alerts: all of a body or nothing, before the sender is answered. */
final class RelayIntake {

  private final ForeignAlertStore alerts;
  private final RelayHealthStore lines;
  private final TransactionTemplate transaction;

  RelayIntake(
      ForeignAlertStore alerts, RelayHealthStore lines, PlatformTransactionManager transactions) {
    this.alerts = alerts;
    this.lines = lines;
    this.transaction = new TransactionTemplate(transactions);
  }

  void take(NotificationRelay relay, Read read, Instant now) {
    // Two bodies that name the same alerts lock them in the same order. The sort is stable, so what
    // is said of one alert stays in order.
    List<Report> reports =
        read.reports().stream().sorted(Comparator.comparing(Report::key)).toList();
    transaction.executeWithoutResult(
        status -> {
          int events = 0;
          for (Report report : reports) {
            events += alerts.report(relay.name(), report, now) ? 1 : 0;
          }
          lines.received(relay.id(), events, now);
          if (read.remark() != null) {
            lines.wrong(relay.id(), false, read.remark(), now);
          }
        });
  }
}
