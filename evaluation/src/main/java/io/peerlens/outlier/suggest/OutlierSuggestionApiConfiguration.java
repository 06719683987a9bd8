package io.peerlens.outlier.suggest;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** {@code /outlier-suggestions}. */
@Configuration(proxyBeanMethods = false)
@Import({OutlierSuggestionsConfiguration.class, OutlierSuggestionsController.class})
public class OutlierSuggestionApiConfiguration {}
