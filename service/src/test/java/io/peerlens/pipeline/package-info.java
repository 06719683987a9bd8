@NullMarked
package io.peerlens.pipeline;

import org.jspecify.annotations.NullMarked;
