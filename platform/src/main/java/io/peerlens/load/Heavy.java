package io.peerlens.load;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An operation of the API that costs a lot of processor time or memory. A node works at few of them
 * at once; others wait a short time, and the rest are refused.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Heavy {

  /** What kind of work it is. */
  HeavyWork value();
}
