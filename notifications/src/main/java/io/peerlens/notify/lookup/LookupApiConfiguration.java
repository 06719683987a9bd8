package io.peerlens.notify.lookup;

import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import jakarta.validation.Validator;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Lookup tables in the API. */
@Configuration(proxyBeanMethods = false)
@Import({LookupConfiguration.class, LookupsController.class})
public class LookupApiConfiguration {

  @Bean
  LookupService lookupService(
      LookupStore store,
      NotificationVersionStore number,
      InstantSource clock,
      NotificationProperties properties,
      ObjectProvider<LookupUser> users) {
    return new LookupService(
        store, number, clock, properties.maxLookups(), () -> users.stream().toList());
  }

  @Bean
  RuleItems lookupItems(LookupStore store, LookupService service, Validator validator) {
    return new DefinitionItems<>(
        "lookupTables",
        10,
        LookupFile.class,
        store,
        service,
        (path, item) -> {
          LookupFile file =
              Definitions.of(path, Definitions.withoutId(item), LookupFile.class, validator);
          LookupService.check(path + ".", file);
          return new RuleItems.Item(
              LookupFile.id(file.name()), file.name(), Definitions.tree(file));
        }) {
      @Override
      public boolean isReferredToByName() {
        return true;
      }
    };
  }
}
