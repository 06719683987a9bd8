package io.peerlens.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.api.ComparisonsApi;
import io.peerlens.api.SuperMetricsApi;
import io.peerlens.api.TokensApi;
import io.peerlens.api.model.Comparison;
import io.peerlens.api.model.ComparisonRequest;
import io.peerlens.api.model.GoalList;
import io.peerlens.api.model.UserRole;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

class ReadOperationsTest {

  private static final int PER_SECOND = 3;

  private final ValidatorFactory validators = Validation.buildDefaultValidatorFactory();
  private final Bulkhead bulkhead =
      new Bulkhead(new LoadProperties(2, 0, Duration.ZERO, 24, PER_SECOND));
  private final Comparisons controller = new Comparisons();
  private ReadOperations operations;

  /** A controller whose heavy operation says how many are being worked on. */
  private final class Comparisons implements ComparisonsApi {
    private int working = -1;
    private @Nullable RuntimeException failure;
    private int goals;

    @Override
    @Heavy(HeavyWork.RANKING)
    public ResponseEntity<Comparison> comparePeriods(ComparisonRequest request) {
      throw new UnsupportedOperationException();
    }

    @Override
    @Heavy(HeavyWork.RANKING)
    public ResponseEntity<Comparison> getChangeImpact(
        Long id,
        String before,
        String after,
        @Nullable String goal,
        @Nullable List<String> keys,
        String zone) {
      working = bulkhead.working();
      if (failure != null) {
        throw failure;
      }
      return ResponseEntity.ok(new Comparison());
    }

    @Override
    public ResponseEntity<GoalList> listGoals() {
      working = bulkhead.working();
      goals++;
      return ResponseEntity.ok(new GoalList());
    }
  }

  @BeforeEach
  void signIn() {
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    beans.registerSingleton("comparisons", controller);
    operations =
        new ReadOperations(
            beans,
            validators.getValidator(),
            new LoadLimits(bulkhead, new RequestRates(PER_SECOND, () -> 0)));
    Caller caller = new Caller(new UUID(0, 1), "model", UserRole.VIEWER, null, null, null);
    SecurityContextHolder.getContext()
        .setAuthentication(
            UsernamePasswordAuthenticationToken.authenticated(caller, null, List.of()));
  }

  @AfterEach
  void signOut() {
    SecurityContextHolder.clearContext();
    validators.close();
  }

  private ComparisonsApi comparisons() {
    return operations.of(ComparisonsApi.class);
  }

  private ResponseEntity<Comparison> impact(String before) {
    return comparisons().getChangeImpact(7L, before, "7d", null, null, "UTC");
  }

  @Test
  void aHeavyOperationHasAPlaceWhileItWorksAndNoneAfterwards() {
    assertThat(impact("7d").getStatusCode().value()).isEqualTo(200);
    assertThat(controller.working).isOne();
    assertThat(bulkhead.working()).isZero();
    comparisons().listGoals();
    assertThat(controller.working).as("of an operation that is not heavy").isZero();
  }

  @Test
  void whatAControllerThrowsComesAsItIsAndThePlaceIsFree() {
    controller.failure = ApiException.notFound("change", 7);
    assertThatThrownBy(() -> impact("7d")).isSameAs(controller.failure);
    assertThat(bulkhead.working()).isZero();
  }

  @Test
  void aNodeThatIsBusyRefuses() {
    try (Bulkhead.Place first = bulkhead.enter(HeavyWork.RANKING, "a");
        Bulkhead.Place second = bulkhead.enter(HeavyWork.RANKING, "b")) {
      assertThatThrownBy(() -> impact("7d"))
          .isInstanceOfSatisfying(
              ApiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }
    assertThat(controller.working).isEqualTo(-1);
  }

  @Test
  void callsCountForTheRateOfTheToken() {
    for (int i = 0; i < 10 * PER_SECOND; i++) {
      comparisons().listGoals();
    }
    assertThatThrownBy(() -> comparisons().listGoals())
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RATE_LIMITED));
    assertThat(controller.goals).isEqualTo(10 * PER_SECOND);
  }

  @Test
  void parametersAreHeldAgainstTheContract() {
    assertThatThrownBy(() -> impact("a week"))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.code().status()).isEqualTo(400);
              assertThat(e.errors().getFirst().getField()).isEqualTo("before");
            });
    assertThat(controller.working).isEqualTo(-1);
  }

  @Test
  void whatChangesSomethingOrNeedsMoreThanToReadCannotBeCalled() {
    assertThatThrownBy(
            () -> operations.of(SuperMetricsApi.class).deleteSuperMetric(UUID.randomUUID(), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("deleteSuperMetric is no operation that reads");
    assertThatThrownBy(() -> operations.of(TokensApi.class).listTokens(false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("that a viewer may call");
  }

  @Test
  void withoutACallerNothingIsCalled() {
    SecurityContextHolder.clearContext();
    assertThatThrownBy(() -> comparisons().listGoals()).isInstanceOf(NullPointerException.class);
    assertThat(controller.goals).isZero();
  }
}
