package io.peerlens.notify.silence;

import io.peerlens.api.model.SilenceEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import jakarta.validation.Validator;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Silences in the API. */
@Configuration(proxyBeanMethods = false)
@Import({SilenceConfiguration.class, SilencesController.class})
public class SilenceApiConfiguration {

  @Bean
  SilenceService silenceService(
      SilenceStore store,
      NotificationVersionStore number,
      InstantSource clock,
      NotificationProperties properties) {
    return new SilenceService(store, number, clock, properties.maxSilences());
  }

  @Bean
  RuleItems silenceItems(
      SilenceStore store, SilenceService service, InstantSource clock, Validator validator) {
    return new DefinitionItems<>(
        "silences",
        14,
        SilenceEdit.class,
        store,
        service,
        (path, item) -> {
          UUID id = Definitions.id(path, item);
          UUID known = id == null ? UUID.randomUUID() : id;
          SilenceEdit edit =
              service.normal(
                  path + ".",
                  Definitions.of(path, Definitions.withoutId(item), SilenceEdit.class, validator));
          return new RuleItems.Item(known, known.toString(), Definitions.tree(edit));
        }) {

      /** Only a silence that is not over and is about a group needs what it names. */
      @Override
      public List<String> users(UUID rule) {
        return store.byId().values().stream()
            .filter(silence -> clock.instant().isBefore(silence.rule().to()))
            .filter(
                silence ->
                    RuleItems.refers(
                        Definitions.tree(silence.edit()).path("scope"), rule.toString()))
            .map(silence -> "the silence \"%s\"".formatted(silence.rule().comment()))
            .toList();
      }
    };
  }
}
