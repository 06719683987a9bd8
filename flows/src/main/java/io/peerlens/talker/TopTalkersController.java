package io.peerlens.talker;

import io.peerlens.api.TopTalkersApi;
import io.peerlens.api.model.TalkerComparison;
import io.peerlens.api.model.TalkerDimension;
import io.peerlens.api.model.TalkerDirection;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TrafficType;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.talker.FlowParameters.Window;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class TopTalkersController implements TopTalkersApi {

  private final TalkerAnswers answers;
  private final InstantSource clock;
  private final HttpServletRequest request;

  TopTalkersController(TalkerAnswers answers, InstantSource clock, HttpServletRequest request) {
    this.answers = answers;
    this.clock = clock;
    this.request = request;
  }

  @Heavy(HeavyWork.RANKING)
  @Override
  public ResponseEntity<io.peerlens.api.model.TopTalkers> topTalkers(
      TalkerDimension by,
      TalkerMeasure measure,
      TalkerDirection direction,
      @Nullable String from,
      @Nullable String to,
      @Nullable TrafficType trafficType,
      @Nullable List<String> ports,
      @Nullable List<String> scope,
      @Nullable List<String> peerScope,
      @Nullable List<String> network,
      @Nullable List<String> tier,
      @Nullable List<TalkerComparison> compare,
      Boolean usual,
      Boolean sparkline,
      Integer limit) {
    Window window = Window.of(from, to, clock.instant());
    return ResponseEntity.ok(
        answers.top(
            new TalkerQuestion(
                by,
                measure,
                FlowParameters.condition(
                    trafficType,
                    ports,
                    scope,
                    peerScope,
                    FlowParameters.names("network", request),
                    FlowParameters.names("tier", request),
                    direction),
                window.from(),
                window.to(),
                compare == null || compare.contains(TalkerComparison.BEFORE),
                compare == null || compare.contains(TalkerComparison.WEEK_AGO),
                usual,
                sparkline,
                limit)));
  }
}
