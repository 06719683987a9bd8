package io.peerlens.web;

import java.io.IOException;

/** A body that turns out to be over the limit when it is read. */
public final class BodyTooLargeException extends IOException {

  private final ApiException problem;

  BodyTooLargeException(ApiException problem) {
    super(problem.detail());
    this.problem = problem;
  }

  /** What the caller is answered. */
  public ApiException problem() {
    return problem;
  }
}
