package io.peerlens.outlier.suggest;

import io.peerlens.api.OutlierSuggestionsApi;
import io.peerlens.api.model.OutlierSuggestionList;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class OutlierSuggestionsController implements OutlierSuggestionsApi {

  private final SuggestionService suggestions;

  OutlierSuggestionsController(SuggestionService suggestions) {
    this.suggestions = suggestions;
  }

  @Override
  public ResponseEntity<OutlierSuggestionList> listOutlierSuggestions() {
    return ResponseEntity.ok(suggestions.list());
  }

  @Override
  public ResponseEntity<Void> dismissOutlierSuggestion(UUID suggestion) {
    if (!suggestions.dismiss(suggestion, Caller.current().name())) {
      throw ApiException.notFound("suggestion", suggestion)
          .hint("GET /api/v1/outlier-groups/suggestions lists those that there are.");
    }
    return ResponseEntity.noContent().build();
  }
}
