package io.peerlens.notify.relay;

import io.peerlens.api.model.NotificationRelayEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.notify.definition.AdminOnly;
import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.foreign.ForeignAlertStore;
import io.peerlens.notify.secret.SecretApiConfiguration;
import io.peerlens.notify.secret.SecretUser;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.security.SecurityProperties;
import io.peerlens.security.SignInBrake;
import jakarta.validation.Validator;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Relays in the API, and where they take alerts. */
@Configuration(proxyBeanMethods = false)
@Import({
  NotificationDefinitionConfiguration.class,
  SecretApiConfiguration.class,
  NotificationRelaysController.class,
  RelayQueries.class
})
public class NotificationRelayApiConfiguration {

  @Bean
  ForeignAlertStore relayedAlerts(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new ForeignAlertStore(jdbc, new TransactionTemplate(transactions));
  }

  @Bean
  NotificationRelayStore notificationRelayStore(
      JdbcClient jdbc,
      ForeignAlertStore alerts,
      NotificationVersionStore number,
      NotificationProperties properties,
      InstantSource clock) {
    return new NotificationRelayStore(
        jdbc,
        number,
        properties.history(),
        name -> alerts.open(name).forEach(key -> alerts.end(name, key, clock.instant())));
  }

  @Bean
  NotificationRelayService notificationRelayService(
      NotificationRelayStore store,
      NotificationVersionStore number,
      Secrets secrets,
      InstantSource clock,
      NotificationProperties properties) {
    return new NotificationRelayService(store, number, secrets, clock, properties.maxRelays());
  }

  @Bean
  RelayEndpoint relayEndpoint(
      NotificationRelayStore store,
      Secrets secrets,
      ForeignAlertStore alerts,
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      InstantSource clock,
      SecurityProperties security) {
    RelayLineStore lines = new RelayLineStore(jdbc);
    SignInBrake brake = new SignInBrake(security.signInAttempts(), security.signInWindow(), clock);
    return new RelayEndpoint(
        new RelayGate(store::named, secrets, lines, brake, clock),
        new RelayIntake(alerts, lines, new TransactionTemplate(transactions)),
        lines,
        clock);
  }

  @Bean
  SecretUser relaySecrets(NotificationRelayStore store) {
    return secret ->
        store.byId().values().stream()
            .filter(one -> one.rule().auth().secrets().contains(secret))
            .map(one -> "relay \"" + one.name() + "\"")
            .sorted()
            .toList();
  }

  @Bean
  RuleItems notificationRelayItems(
      NotificationRelayStore store, NotificationRelayService service, Validator validator) {
    return new DefinitionItems<>(
        "notificationRelays",
        15,
        NotificationRelayEdit.class,
        store,
        service,
        (path, item) -> {
          AdminOnly.require("A relay");
          NotificationRelayEdit given =
              Definitions.of(path, item, NotificationRelayEdit.class, validator);
          NotificationRelayEdit edit = NotificationRelayService.ofFile(path + ".", given);
          return new RuleItems.Item(given.getId(), edit.getName(), Definitions.tree(edit));
        });
  }
}
