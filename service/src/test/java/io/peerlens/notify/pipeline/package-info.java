@NullMarked
package io.peerlens.notify.pipeline;

import org.jspecify.annotations.NullMarked;
