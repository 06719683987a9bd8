package io.peerlens.notify.relay;

import io.peerlens.api.model.NotificationRelayEdit;
import io.peerlens.definition.RuleItems;
import io.peerlens.notify.definition.NamedItems;
import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import io.peerlens.notify.secret.SecretApiConfiguration;
import io.peerlens.notify.secret.SecretUser;
import jakarta.validation.Validator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Relays in the API and in rules files, and the endpoint where they take alerts. */
@Configuration(proxyBeanMethods = false)
@Import({
  NotificationDefinitionConfiguration.class,
  SecretApiConfiguration.class,
  ForeignAlertStore.class,
  NotificationRelayStore.class,
  NotificationRelayService.class,
  NotificationRelaysController.class,
  RelayEndpoint.class,
  RelayGate.class,
  RelayIntake.class,
  RelayHealthStore.class,
  RelayQueries.class
})
public class NotificationRelayApiConfiguration {

  @Bean
  SecretUser relaySecrets(NotificationRelayStore store) {
    return SecretUser.of("relay", store, relay -> relay.auth().secrets());
  }

  @Bean
  RuleItems notificationRelayItems(
      NotificationRelayStore store, NotificationRelayService service, Validator validator) {
    return NamedItems.of(
        "notificationRelays",
        15,
        NotificationRelayEdit.class,
        store,
        service,
        validator,
        NotificationRelayService::ofFile);
  }
}
