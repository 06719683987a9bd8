package io.peerlens.outlier.suggest;

import io.peerlens.inventory.ObjectLookup;
import io.peerlens.outlier.OutlierConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Suggested outlier groups, which the API lists and an evaluator refreshes. */
@Configuration(proxyBeanMethods = false)
@Import({
  OutlierConfiguration.class,
  ObjectLookup.class,
  SuggestionQueries.class,
  SuggestionStore.class,
  SuggestionFinder.class,
  SuggestionService.class
})
class OutlierSuggestionsConfiguration {}
